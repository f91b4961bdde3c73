import { type AddIssue, forEachItem, type Rule } from "../../shared/rules";
import { type ContainerFields, nameOf, runsFlux } from "./container";
import {
  brokerFlags,
  brokerPieces,
  containerOwnRules,
  eachContainer,
  sharedVolumeRule,
  volumePathRule,
} from "./containerRules";
import type { BrokerPodsFields, MiniClusterFields } from "./fields";
import { servicesName, leadServiceName } from "./names";

/** The rules on the containers of the services pod. */
export const serviceRules: Rule<BrokerPodsFields>[] = [
  serviceNamesRule,
  servicePortsRule,
  ...eachContainer("services", ...containerOwnRules, brokerRule, ({ volumes }, addIssue) =>
    volumePathRule(volumes, undefined, addIssue),
  ),
  ({ services }, addIssue) => sharedVolumeRule(services, "services", addIssue),
];

/** The rule on the names of services: the start scripts of all containers lie side by side, under their names. */
function serviceNamesRule(fields: BrokerPodsFields, addIssue: AddIssue): void {
  const { containers, services } = fields;
  const names = new Map<string | undefined, string>();
  forEachItem(containers, (container, index) => void names.set(nameOf(container, fields), `containers[${index}]`));
  forEachItem(services, ({ name }, index) => {
    const holder = names.get(name);
    if (name === undefined) addIssue(["services", index, "name"], "a service needs a name; give it one");
    else if (holder !== undefined)
      addIssue(
        ["services", index, "name"],
        `${holder} has this name too, and their scripts lie side by side; rename one of them`,
      );
    else names.set(name, `services[${index}]`);
  });
}

/** The rule on ports: the containers of a pod share one address, so a port belongs to one container. */
function servicePortsRule({ services }: BrokerPodsFields, addIssue: AddIssue): void {
  const taken = new Map<number, number>();
  forEachItem(services, ({ ports }, index) =>
    forEachItem(ports, (port, place) => {
      const holder = taken.get(port);
      if (holder === undefined) taken.set(port, index);
      else
        addIssue(
          ["services", index, "ports", place],
          `${port} is a port of services[${holder}] too, in the same pod; choose another port`,
        );
    }),
  );
}

function brokerRule(service: ContainerFields, addIssue: AddIssue): void {
  const { commands } = service;
  const message = "is for the container that runs Flux, and a service has no Flux; remove it";
  for (const piece of brokerPieces) if (commands[piece] !== undefined) addIssue(["commands", piece], message);
  for (const key of ["runFlux", ...brokerFlags] as const) if (service[key] === true) addIssue([key], message);
  if (service.logs !== undefined) addIssue(["logs"], message);
  if (service.serviceName !== undefined)
    addIssue(
      ["serviceName"],
      "is for a sidecar; the ports of services are those of the service <name>-services; remove it",
    );
}

/** Names of the Services that a cluster has anyway, with the holder of each. */
type OwnServices = [name: string, holder: string][];

/** The Services of the brokers' pods and of `services`. */
export const ownServicesOf = ({ name, network, services }: BrokerPodsFields): OwnServices => [
  [network.headlessName ?? name, "the Service of the brokers"],
  ...(services.length > 0 ? [[servicesName({ name }), "the Service created for services"] as [string, string]] : []),
];

/** The same Services, and the one by which brokers of other clusters reach the lead broker. */
export function ownServicesOfLead(fields: MiniClusterFields): OwnServices {
  const { nodePort, loadBalancer } = fields.bursting?.expose ?? {};
  const lead: OwnServices =
    (nodePort ?? loadBalancer) ? [[leadServiceName(fields), "the Service created for bursting.expose"]] : [];
  return [...ownServicesOf(fields), ...lead];
}

/** The rule on the services of sidecars: each has a target port and a unique name. */
export function sidecarServiceRule({ containers }: BrokerPodsFields, own: OwnServices, addIssue: AddIssue): void {
  const holders = new Map(own);
  forEachItem(containers, (container, index) => {
    const { serviceName, ports } = container;
    if (serviceName === undefined) return;
    const at = (message: string) => addIssue(["containers", index, "serviceName"], message);
    if (runsFlux(container, containers))
      return at("is only for a container that does not run Flux; remove it or move it there");
    if (ports.length === 0)
      at("a service leads to ports, and this container has none; add ports or remove serviceName");
    ports.forEach((port, place) => {
      if (ports.indexOf(port) < place)
        addIssue(["containers", index, "ports", place], `${port} is listed twice; remove one of them`);
    });
    const holder = holders.get(serviceName);
    if (holder !== undefined) at(`"${serviceName}" conflicts with ${holder}; choose another name`);
    else holders.set(serviceName, `the Service of containers[${index}]`);
  });
}
