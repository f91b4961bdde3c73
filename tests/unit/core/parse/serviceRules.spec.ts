import type { MiniClusterContainerArgs } from "../../../../provider";
import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aBursting, aSidecar } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

const of = (...services: Partial<MiniClusterContainerArgs>[]) => ({
  services: services.map((service) => ({ image: "i", ...service })),
});

describe("the rules of services", () => {
  const longest = "a".repeat(54);
  const sameName = "also has this name, and their scripts are in one directory; rename one of them";
  rejectsAll(
    { containers: [aBroker(), aSidecar()], ...of({}, ...["side", "demo", "store", "store"].map((name) => ({ name }))) },
    [
      "services[0].name: a service needs a name; give it one",
      `services[1].name: containers[1] ${sameName}`,
      `services[2].name: containers[0] ${sameName}`,
      `services[4].name: services[3] ${sameName}`,
    ],
  );
  const store = of({ name: "store-0" });
  rejects({
    "network.headlessName: conflicts with the Service created for services; choose another name": {
      network: { headlessName: "demo-services" },
      ...store,
    },
    [`name: the host name ${longest}a-services has 64 characters, 63 are allowed; shorten name by 1`]: {
      name: `${longest}a`,
      ...store,
    },
  });
  rejectsAll(
    of({ name: "store-0", ports: [80, 80] }, { name: "store-1", ports: [443, 80] }),
    errorsAt(["services[0].ports[1]", "services[1].ports[1]"], "80 is also a port of services[0], in the same pod…"),
  );
  rejectsAll(
    of({
      name: "store",
      command: "x",
      logs: "/out",
      serviceName: "nginx",
      runFlux: true,
      launcher: true,
      batch: true,
      batchRaw: true,
      commands: { prefix: "x", pre: "x", brokerPre: "x", workerPre: "x" },
    }),
    [
      ...errorsAt(
        ["commands.prefix", "commands.pre", "commands.brokerPre", "commands.workerPre"]
          .concat("runFlux", "launcher", "batch", "batchRaw", "logs")
          .map((name) => `services[0].${name}`),
        "is for the container that runs Flux, and a service has no Flux; remove it",
      ),
      "services[0].serviceName: is for a sidecar; the Service <name>-services has the ports of all services…",
    ],
  );
  const data = (claimName: string, path = "/data") => ({ data: { path, claimName } });
  rejectsAll(
    of(
      {
        name: "a",
        command: "x",
        commands: { script: "y" },
        environment: { A: "a" },
        secrets: { A: { name: "s", key: "k" } },
      },
      {
        name: "b",
        commands: { init: "x" },
        volumes: { "minicluster-config": { path: "/c", claimName: "c" }, ...data("a") },
      },
      { name: "c", command: "x", noWrapEntrypoint: true, commands: { servicePre: "y" }, volumes: data("b") },
    ),
    [
      "services[0].commands.script: script replaces command; keep one of them",
      "services[1].commands: require a command; this container uses its image's entrypoint…",
      "services[2].commands: need a start script, which noWrapEntrypoint omits; remove one of them",
      "services[0].secrets.A: is also in environment; keep one of them",
      'services[1].volumes["minicluster-config"]: is the name of one of the component\'s own volumes…',
      "services[2].volumes.data: has another source in services[1]…",
    ],
  );
  accepts({
    "the longest name with services": { name: longest, ...store },
    "a longer name, and that headlessName, without services": {
      name: `${longest}a`,
      network: { headlessName: "demo-services" },
    },
    "ports, names and mounts of the brokers, which are in another pod": {
      containers: [aBroker({ ports: [80], volumes: data("a") })],
      ...of({ name: "flux-view", ports: [80], volumes: data("b", "/mnt/flux") }),
    },
    "settings of Flux that are off, and commands around the command": of({
      name: "a",
      runFlux: false,
      launcher: false,
      batch: false,
      batchRaw: false,
      command: "x",
      commands: { init: "a", servicePre: "b", post: "c" },
    }),
  });
});

describe("the rules of the services of sidecars", () => {
  /** Sidecars with these Services, each at a separate port. */
  const sides = (...names: string[]) => ({
    containers: [
      aBroker(),
      ...names.map((serviceName, index) => aSidecar({ name: `side-${index}`, ports: [80 + index], serviceName })),
    ],
  });
  rejects({
    "containers[0].serviceName: is only for a container that does not run Flux; remove it or move it there": {
      containers: [aBroker({ ports: [80], serviceName: "nginx" })],
    },
  });
  const twice = aSidecar({ name: "b", ports: [80, 443, 80], serviceName: "demo" });
  rejectsAll({ containers: [aBroker(), aSidecar({ serviceName: "nginx" }), twice] }, [
    "containers[1].serviceName: a Service requires ports, and this container has none…",
    "containers[2].ports[2]: 80 is listed twice; remove one of them",
    'containers[2].serviceName: "demo" conflicts with the Service of the brokers; choose another name',
  ]);
  rejectsAll(
    {
      ...sides("hosts", "demo-services", "demo-lead", "other", "other"),
      network: { headlessName: "hosts" },
      ...of({ name: "store" }),
      bursting: aBursting({ expose: { nodePort: { address: "a.example" } } }),
    },
    [
      'containers[1].serviceName: "hosts" conflicts with the Service of the brokers; choose another name',
      'containers[2].serviceName: "demo-services" conflicts with the Service created for services…',
      'containers[3].serviceName: "demo-lead" conflicts with the Service created for bursting.expose…',
      'containers[5].serviceName: "other" conflicts with the Service of containers[4]; choose another name',
    ],
  );
  accepts({
    "names of Services that do not exist": {
      ...sides("demo", "demo-services", "c"),
      network: { headlessName: "hosts" },
    },
    "a port that is listed twice without serviceName": { containers: [aBroker(), aSidecar({ ports: [80, 80] })] },
  });
});
