import { type AddIssue, forEachItem } from "../../shared/rules";
import { brokerPort, demandPort } from "./names";

/** The rule on the ports of a container in the lead broker's pod, given the present use of each port. */
export function takenPortsRule(ports: (number | undefined)[], holders: Map<number, string>, addIssue: AddIssue): void {
  forEachItem(ports, (port, index) => {
    const holder = holders.get(port);
    if (holder !== undefined)
      addIssue(["ports", index], `${port} is the port of ${holder}, in the same pod; choose another port`);
  });
}

/** The rule on a port of the lead broker's pod that an argument chooses. */
export function ownPortRule(argument: string, port: number | undefined, addIssue: AddIssue): void {
  if (port === brokerPort)
    addIssue([argument, "port"], `${brokerPort} is the port of the brokers; choose another port`);
  if (port === demandPort)
    addIssue([argument, "port"], `${demandPort} is the port that serves the demand; choose another port`);
}
