import type { MiniClusterContainerArgs } from "../../../../provider";
import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aBursting, aSidecar } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

const of = (...services: Partial<MiniClusterContainerArgs>[]) => ({
  services: services.map((service) => ({ image: "i", ...service })),
});

describe("the rules of services", () => {
  const longest = "a".repeat(54);
  rejectsAll(
    {
      containers: [aBroker(), aSidecar()],
      ...of({}, { name: "side" }, { name: "demo" }, { name: "store" }, { name: "store" }),
    },
    [
      "services[0].name: a service needs a name; give it one",
      "services[1].name: containers[1] has this name too, and their scripts lie side by side; rename one of them",
      "services[2].name: containers[0] has this name too, and their scripts lie side by side; rename one of them",
      "services[4].name: services[3] has this name too, and their scripts lie side by side; rename one of them",
    ],
  );
  rejects({
    "network.headlessName: conflicts with the Service created for services; choose another name": {
      ...{ network: { headlessName: "demo-services" }, ...of({ name: "store-0" }) },
    },
    [`name: the host name ${longest}a-services has 64 characters, 63 are allowed; shorten name by 1`]: {
      ...{ name: `${longest}a`, ...of({ name: "store-0" }) },
    },
  });
  rejectsAll(
    of({ name: "store-0", ports: [80, 80] }, { name: "store-1", ports: [443, 80] }),
    errorsAt(
      ["services[0].ports[1]", "services[1].ports[1]"],
      "80 is a port of services[0] too, in the same pod; choose another port",
    ),
  );
  rejectsAll(
    of({
      ...{ name: "store", command: "x", logs: "/out", serviceName: "nginx" },
      ...{ runFlux: true, launcher: true, batch: true, batchRaw: true },
      commands: { prefix: "x", pre: "x", brokerPre: "x", workerPre: "x" },
    }),
    [
      ...errorsAt(
        [
          ...["commands.prefix", "commands.pre", "commands.brokerPre", "commands.workerPre"],
          ...["runFlux", "launcher", "batch", "batchRaw", "logs"],
        ].map((name) => `services[0].${name}`),
        "is for the container that runs Flux, and a service has no Flux; remove it",
      ),
      "services[0].serviceName: is for a sidecar; the ports of services are those of the service <name>-services; " +
        "remove it",
    ],
  );
  rejectsAll(
    of(
      {
        ...{ name: "a", command: "x", commands: { script: "y" }, pullAlways: true, imagePullPolicy: "Never" },
        ...{ environment: { A: "a" }, secrets: { A: { name: "s", key: "k" } } },
      },
      {
        ...{ name: "b", commands: { init: "x" } },
        volumes: { "minicluster-config": { path: "/c", claimName: "c" }, data: { path: "/data", claimName: "a" } },
      },
      {
        ...{ name: "c", command: "x", noWrapEntrypoint: true, commands: { servicePre: "y" } },
        volumes: { data: { path: "/data", claimName: "b" } },
      },
    ),
    [
      "services[0].commands.script: script takes the place of command; give one of them",
      'services[0].pullAlways: pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
      "services[1].commands: require a command; this container uses its image's entrypoint: add command or script",
      "services[2].commands: need a start script, which noWrapEntrypoint leaves out; remove one of them",
      "services[0].secrets.A: is also in environment; keep one of them",
      'services[1].volumes["minicluster-config"]: is the name of one of the component\'s own volumes; choose another ' +
        "name",
      "services[2].volumes.data: has another source in services[1]; a volume has one source in a pod, so rename one " +
        "of them",
    ],
  );
  accepts({
    "the longest name with services": { name: longest, ...of({ name: "store-0" }) },
    "a longer name, and that headlessName, without services": {
      ...{ name: `${longest}a`, network: { headlessName: "demo-services" } },
    },
    "ports, names and mounts of the brokers, which are in another pod": {
      containers: [aBroker({ ports: [80], volumes: { data: { path: "/data", claimName: "a" } } })],
      ...of({ name: "flux-view", ports: [80], volumes: { data: { path: "/mnt/flux", claimName: "b" } } }),
    },
    "settings of Flux that are off, and commands around the command": of({
      ...{ name: "a", runFlux: false, launcher: false, batch: false, batchRaw: false },
      ...{ command: "x", commands: { init: "a", servicePre: "b", post: "c" } },
    }),
  });
});

describe("the rules of the services of sidecars", () => {
  const sides = (...args: Partial<MiniClusterContainerArgs>[]) => ({ containers: [aBroker(), ...args.map(aSidecar)] });
  rejects({
    "containers[0].serviceName: is only for a container that does not run Flux; remove it or move it there": {
      containers: [aBroker({ ports: [80], serviceName: "nginx" })],
    },
  });
  rejectsAll(sides({ name: "web", serviceName: "nginx" }, { name: "b", ports: [80, 443, 80], serviceName: "demo" }), [
    "containers[1].serviceName: a service leads to ports, and this container has none; add ports or remove " +
      "serviceName",
    "containers[2].ports[2]: 80 is listed twice; remove one of them",
    'containers[2].serviceName: "demo" conflicts with the Service of the brokers; choose another name',
  ]);
  rejectsAll(
    {
      ...sides(
        { name: "a", ports: [80], serviceName: "hosts" },
        { name: "b", ports: [80], serviceName: "demo-services" },
        { name: "c", ports: [80], serviceName: "demo-lead" },
        { name: "d", ports: [80], serviceName: "other" },
        { name: "e", ports: [81], serviceName: "other" },
      ),
      ...{ network: { headlessName: "hosts" }, ...of({ name: "store" }) },
      bursting: aBursting({ expose: { nodePort: { address: "a.example" } } }),
    },
    [
      'containers[1].serviceName: "hosts" conflicts with the Service of the brokers; choose another name',
      'containers[2].serviceName: "demo-services" conflicts with the Service created for services; choose another name',
      'containers[3].serviceName: "demo-lead" conflicts with the Service created for bursting.expose; choose another ' +
        "name",
      'containers[5].serviceName: "other" conflicts with the Service of containers[4]; choose another name',
    ],
  );
  accepts({
    "names of Services that do not exist": {
      ...sides(
        { name: "web", ports: [80], serviceName: "demo" },
        { name: "b", ports: [80], serviceName: "demo-services" },
        { name: "c", ports: [80], serviceName: "c" },
      ),
      network: { headlessName: "hosts" },
    },
    "a port that is listed twice without serviceName": sides({ name: "web", ports: [80, 80] }),
  });
});
