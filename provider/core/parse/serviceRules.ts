import { type AddIssue, type Rule, forEachItem, type Picked, ruleOn } from "../../shared/rules";
import { nameOf, runsFlux } from "./container";
import {
  brokerFlags,
  brokerPieces,
  containerOwnRules,
  containerRule,
  eachContainer,
  sharedVolumeRule,
  volumePathRule,
} from "./containerRules";
import type { BrokerPodsFields } from "./fields";
import { headlessServiceName, servicesName } from "./names";

const rule = ruleOn<BrokerPodsFields>();

/** The rule on the names of services: the start scripts of all containers share a directory, under their names. */
const serviceNamesRule = rule(
  ["name", "containers[].name", "containers[].runFlux", "services[].name"],
  (fields, addIssue) => {
    const { containers, services } = fields;
    const names = new Map<string | undefined, string>();
    forEachItem(containers, (container, index) => void names.set(nameOf(container, fields), `containers[${index}]`));
    forEachItem(services, ({ name }, index) => {
      const holder = names.get(name);
      if (name === undefined) addIssue(["services", index, "name"], "a service needs a name; give it one");
      else if (holder !== undefined)
        addIssue(
          ["services", index, "name"],
          `${holder} also has this name, and their scripts are in one directory; rename one of them`,
        );
      else names.set(name, `services[${index}]`);
    });
  },
);

/** The rule on ports: the containers of a pod share one address, so a port belongs to one container. */
const servicePortsRule = rule(["services[].ports[]"], ({ services }, addIssue) => {
  const taken = new Map<number, number>();
  forEachItem(services, ({ ports }, index) =>
    forEachItem(ports, (port, place) => {
      const holder = taken.get(port);
      if (holder === undefined) taken.set(port, index);
      else
        addIssue(
          ["services", index, "ports", place],
          `${port} is also a port of services[${holder}], in the same pod; choose another port`,
        );
    }),
  );
});

const forBroker = "is for the container that runs Flux, and a service has no Flux; remove it";

const brokerRules = [
  ...brokerPieces.map((piece) =>
    containerRule([`commands.${piece}`], ({ commands }, addIssue) => {
      if (commands[piece] !== undefined) addIssue(["commands", piece], forBroker);
    }),
  ),
  ...(["runFlux", ...brokerFlags] as const).map((key) =>
    containerRule([key], (service, addIssue) => {
      if (service[key] === true) addIssue([key], forBroker);
    }),
  ),
  containerRule(["logs"], ({ logs }, addIssue) => {
    if (logs !== undefined) addIssue(["logs"], forBroker);
  }),
  containerRule(["serviceName"], ({ serviceName }, addIssue) => {
    if (serviceName !== undefined)
      addIssue(
        ["serviceName"],
        "is for a sidecar; the Service <name>-services has the ports of all services; remove it",
      );
  }),
];

/** The rules on the containers of the services pod. */
export const serviceRules: Rule<BrokerPodsFields>[] = [
  serviceNamesRule,
  servicePortsRule,
  ...eachContainer(
    "services",
    ...containerOwnRules,
    ...brokerRules,
    containerRule(["volumes[]"], ({ volumes }, addIssue) => volumePathRule(volumes, undefined, addIssue)),
  ),
  rule(["services[].volumes[]"], ({ services }, addIssue) => sharedVolumeRule(services, "services", addIssue)),
];

/** Names of the Services that a cluster always has, with the owner of each. */
export type OwnServices = [name: string, holder: string][];

/** Fields that `ownServicesOf` reads. */
export const ownServiceFields = ["name", "network.headlessName", "services[]"] as const;

/** The Services of the brokers' pods and of `services`. */
export const ownServicesOf = ({
  name,
  network,
  services,
}: Picked<BrokerPodsFields, (typeof ownServiceFields)[number]>): OwnServices => [
  [headlessServiceName({ name, network }), "the Service of the brokers"],
  ...(services.length > 0 ? [[servicesName({ name }), "the Service created for services"] as [string, string]] : []),
];

/** Fields that `sidecarServiceRule` reads. */
export const sidecarServiceFields = [
  "containers[].serviceName",
  "containers[].ports[]",
  "containers[].runFlux",
] as const;

/** The rule on the services of sidecars: each has a target port and a unique name. */
export function sidecarServiceRule(
  { containers }: Picked<BrokerPodsFields, (typeof sidecarServiceFields)[number]>,
  own: OwnServices,
  addIssue: AddIssue,
): void {
  const holders = new Map(own);
  forEachItem(containers, (container, index) => {
    const { serviceName, ports } = container;
    if (serviceName === undefined) return;
    const at = (message: string) => addIssue(["containers", index, "serviceName"], message);
    if (runsFlux(container, containers))
      return at("is only for a container that does not run Flux; remove it or move it there");
    if (ports.length === 0)
      at("a Service requires ports, and this container has none; add ports or remove serviceName");
    forEachItem(ports, (port, place) => {
      if (ports.indexOf(port) < place)
        addIssue(["containers", index, "ports", place], `${port} is listed twice; remove one of them`);
    });
    const holder = holders.get(serviceName);
    if (holder !== undefined) at(`"${serviceName}" conflicts with ${holder}; choose another name`);
    else holders.set(serviceName, `the Service of containers[${index}]`);
  });
}
