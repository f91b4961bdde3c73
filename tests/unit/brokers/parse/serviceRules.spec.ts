import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aBursting, aSidecar } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the rules of services", () => {
  rejects({
    "network.headlessName: conflicts with the Service created for services; choose another name": {
      network: { headlessName: "demo-services" },
      services: [{ image: "i", name: "store-0" }],
    },
    ["name: the host name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-services has 64 characters, 63 are " +
    "allowed; shorten name by 1"]: {
      name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      services: [{ image: "i", name: "store-0" }],
    },
  });
  rejectsAll(
    {
      containers: [aBroker(), aSidecar()],
      services: [
        { image: "i" },
        { image: "i", name: "side" },
        { image: "i", name: "demo" },
        { image: "i", name: "store" },
        { image: "i", name: "store" },
      ],
    },
    [
      "services[0].name: a service needs a name; give it one",
      "services[1].name: containers[1] has this name too, and their scripts lie side by side; rename one of them",
      "services[2].name: containers[0] has this name too, and their scripts lie side by side; rename one of them",
      "services[4].name: services[3] has this name too, and their scripts lie side by side; rename one of them",
    ],
  );
  rejectsAll(
    {
      services: [
        { image: "i", name: "store-0", ports: [80, 80] },
        { image: "i", name: "store-1", ports: [443, 80] },
      ],
    },
    errorsAt(
      ["services[0].ports[1]", "services[1].ports[1]"],
      "80 is a port of services[0] too, in the same pod; choose another port",
    ),
  );
  rejectsAll(
    {
      services: [
        {
          image: "i",
          name: "store",
          command: "x",
          logs: "/out",
          serviceName: "nginx",
          runFlux: true,
          launcher: true,
          batch: true,
          batchRaw: true,
          commands: { prefix: "x", pre: "x", brokerPre: "x", workerPre: "x" },
        },
      ],
    },
    [
      ...errorsAt(
        [
          "services[0].commands.prefix",
          "services[0].commands.pre",
          "services[0].commands.brokerPre",
          "services[0].commands.workerPre",
        ],
        "is for the container that runs Flux, and a service has no Flux; remove it",
      ),
      ...errorsAt(
        [
          "services[0].runFlux",
          "services[0].launcher",
          "services[0].batch",
          "services[0].batchRaw",
          "services[0].logs",
        ],
        "is for the container that runs Flux, and a service has no Flux; remove it",
      ),
      "services[0].serviceName: is for a sidecar; the ports of services are those of the service <name>-services; " +
        "remove it",
    ],
  );
  rejectsAll(
    {
      services: [
        {
          image: "i",
          name: "a",
          command: "x",
          commands: { script: "y" },
          pullAlways: true,
          imagePullPolicy: "Never",
          environment: { A: "a" },
          secrets: { A: { name: "s", key: "k" } },
        },
      ],
    },
    [
      "services[0].commands.script: script takes the place of command; give one of them",
      'services[0].pullAlways: pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
      "services[0].secrets.A: is in environment, too; keep one of them",
    ],
  );
  rejectsAll(
    {
      services: [
        {
          image: "i",
          name: "a",
          commands: { init: "x" },
          volumes: { "minicluster-config": { path: "/c", claimName: "c" }, data: { path: "/data", claimName: "a" } },
        },
        {
          image: "i",
          name: "b",
          command: "x",
          noWrapEntrypoint: true,
          commands: { servicePre: "y" },
          volumes: { data: { path: "/data", claimName: "b" } },
        },
      ],
    },
    [
      "services[0].commands: require a command; this container uses its image's entrypoint: add command or script",
      "services[1].commands: need a start script, which noWrapEntrypoint leaves out; remove one of them",
      'services[0].volumes["minicluster-config"]: is the name of one of the component\'s own volumes; choose another ' +
        "name",
      "services[1].volumes.data: has another source in services[0]; a volume has one source in a pod, so rename one " +
        "of them",
    ],
  );
  accepts({
    "the longest name with services": {
      name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      services: [{ image: "i", name: "store-0" }],
    },
    "a longer name, and that headlessName, without services": {
      name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      network: { headlessName: "demo-services" },
    },
    "ports, names and mounts of the brokers, which are in another pod": {
      containers: [{ image: "i", command: "x", ports: [80], volumes: { data: { path: "/data", claimName: "a" } } }],
      services: [
        { image: "i", name: "flux-view", ports: [80], volumes: { data: { path: "/mnt/flux", claimName: "b" } } },
      ],
    },
    "such settings that are off, and commands around the command": {
      services: [
        {
          image: "i",
          name: "a",
          runFlux: false,
          launcher: false,
          batch: false,
          batchRaw: false,
          command: "x",
          commands: { init: "a", servicePre: "b", post: "c" },
        },
      ],
    },
  });
});

describe("the rules of the services of sidecars", () => {
  rejects({
    "containers[0].serviceName: is only for a container that does not run Flux; remove it or move it there": {
      containers: [{ image: "i", command: "x", ports: [80], serviceName: "nginx" }],
    },
    "containers[1].serviceName: a service leads to ports, and this container has none; add ports or remove serviceName":
      { containers: [aBroker(), { image: "i", name: "web", serviceName: "nginx" }] },
  });
  rejectsAll({ containers: [aBroker(), { image: "i", name: "web", ports: [80, 443, 80], serviceName: "demo" }] }, [
    "containers[1].ports[2]: 80 is listed twice; remove one of them",
    'containers[1].serviceName: "demo" conflicts with the Service of the brokers; choose another name',
  ]);
  rejectsAll(
    {
      containers: [
        aBroker(),
        { image: "i", name: "a", ports: [80], serviceName: "hosts" },
        { image: "i", name: "b", ports: [80], serviceName: "demo-services" },
        { image: "i", name: "c", ports: [80], serviceName: "demo-lead" },
        { image: "i", name: "d", ports: [80], serviceName: "other" },
        { image: "i", name: "e", ports: [81], serviceName: "other" },
      ],
      network: { headlessName: "hosts" },
      services: [{ image: "i", name: "store" }],
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
      containers: [
        aBroker(),
        { image: "i", name: "web", ports: [80], serviceName: "demo" },
        { image: "i", name: "b", ports: [80], serviceName: "demo-services" },
        { image: "i", name: "c", ports: [80], serviceName: "c" },
      ],
      network: { headlessName: "hosts" },
    },
    "a port that is listed twice without serviceName": {
      containers: [aBroker(), { image: "i", name: "web", ports: [80, 80] }],
    },
  });
});
