import { properties } from "../../shared/checks";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../args";
import { leadServiceName, servicesName } from "../names";
import { runsFlux } from "./containerRules";
import type { AddIssue } from "../../shared/rules";

type Container = Partial<MiniClusterContainerArgs>;

/** The rules on the services that lead to sidecars: each has a port to lead to, and a name of its own. */
export function sidecarServiceRules(containers: Container[], args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const holders = ownServices(args);
  containers.forEach((container, index) => {
    const { serviceName, ports } = container;
    if (serviceName === undefined) return;
    const at = (message: string) => addIssue(["containers", index, "serviceName"], message);
    if (runsFlux(container, containers))
      return at("is only for a container that does not run Flux; remove it or move it there");
    if (ports === undefined || (Array.isArray(ports) && ports.length === 0))
      at("a service leads to ports, and this container has none; add ports or remove serviceName");
    portRules(ports, (place, message) => addIssue(["containers", index, "ports", place], message));
    const holder = holders.get(serviceName);
    if (holder !== undefined) at(`"${serviceName}" is the name of ${holder}, too; choose another name`);
    else holders.set(serviceName, `the service of containers[${index}]`);
  });
}

/** The services that the cluster has anyway, by their names. */
function ownServices(args: Partial<MiniClusterArgs>): Map<unknown, string> {
  const { name, network, services, bursting } = args;
  const { headlessName = name } = properties(network);
  const brokers = [headlessName, "the service of the brokers"] as const;
  // A name of another type is for the schema to refuse.
  if (typeof name !== "string") return new Map<unknown, string>([brokers]);
  const { nodePort, loadBalancer } = properties(properties(bursting).expose);
  const hasServices = Array.isArray(services) && services.length > 0;
  return new Map<unknown, string>([
    brokers,
    ...(hasServices ? [[servicesName({ name }), "the service of services"] as const] : []),
    ...((nodePort ?? loadBalancer) ? [[leadServiceName({ name }), "the service of bursting.expose"] as const] : []),
  ]);
}

function portRules(ports: unknown, addIssue: (place: number, message: string) => void): void {
  if (!Array.isArray(ports)) return;
  ports.forEach((port: unknown, place) => {
    if (ports.indexOf(port) < place) addIssue(place, `${String(port)} stands here twice; remove one of them`);
  });
}
