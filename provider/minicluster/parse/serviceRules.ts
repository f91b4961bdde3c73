import { properties } from "../../shared/checks";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../args";
import { brokerFlags, brokerPieces, environmentRules, nameOf, scriptRules, sidecarRules } from "./containerRules";
import type { AddIssue } from "../../shared/rules";
import { pathRules, sharedVolumeRules } from "./volumeRules";

type Container = Partial<MiniClusterContainerArgs>;

/** The rules on the containers of the services pod. */
export function serviceRules(services: Container[], args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const names = containerNames(args);
  const ports = new Map<number, number>();
  services.forEach((service, index) => {
    const at = (path: PropertyKey[], message: string) => addIssue(["services", index, ...path], message);
    if (service.name === undefined) at(["name"], "a service needs a name; give it one");
    else if (names.has(service.name))
      at(
        ["name"],
        `${names.get(service.name)} has this name too, and their scripts lie side by side; rename one of them`,
      );
    else names.set(service.name, `services[${index}]`);
    portRules(service, index, ports, at);
    brokerRules(service, at);
    scriptRules(service, at);
    sidecarRules(service, at);
    environmentRules(service, at);
    pathRules(service, undefined, at);
  });
  sharedVolumeRules(services, "services", addIssue);
}

/** The names of the brokers' containers, with their places. */
function containerNames(args: Partial<MiniClusterArgs>): Map<string | undefined, string> {
  const all: unknown = args.containers;
  const list = Array.isArray(all) ? all.map((container: Container) => properties(container)) : [];
  const names = new Map<string | undefined, string>();
  list.forEach((container, index) => names.set(nameOf(container, list, args), `containers[${index}]`));
  return names;
}

/** The containers of a pod share one address, so a port is one container's. */
function portRules({ ports }: Container, index: number, taken: Map<number, number>, addIssue: AddIssue): void {
  if (!Array.isArray(ports)) return;
  ports.forEach((port, place) => {
    const holder = taken.get(port);
    if (holder === undefined) taken.set(port, index);
    else
      addIssue(["ports", place], `${port} is a port of services[${holder}] too, in the same pod; choose another port`);
  });
}

function brokerRules(service: Container, addIssue: AddIssue): void {
  const commands = properties(service.commands);
  const word = "is for the container that runs Flux, and a service has no Flux; remove it";
  for (const piece of brokerPieces) if (commands[piece] !== undefined) addIssue(["commands", piece], word);
  for (const key of ["runFlux", ...brokerFlags] as const) if (service[key] === true) addIssue([key], word);
  if (service.logs !== undefined) addIssue(["logs"], word);
  if (service.serviceName !== undefined)
    addIssue(
      ["serviceName"],
      "is for a sidecar; the ports of services are those of the service <name>-services; remove it",
    );
}
