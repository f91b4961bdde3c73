import { errorsAt, itValidates } from "../../../support/problems";
import { aBroker, aBursting, aSidecar } from "../../../support/fixtures";

describe("the rules of services", () => {
  itValidates([
    {
      name: "services without a name, or with the name of another container",
      args: {
        containers: [aBroker(), aSidecar()],
        services: [
          { image: "i" },
          { image: "i", name: "side" },
          { image: "i", name: "demo" },
          { image: "i", name: "store" },
          { image: "i", name: "store" },
        ],
      },
      errors: [
        "services[0].name: a service needs a name; give it one",
        "services[1].name: containers[1] has this name too, and their scripts lie side by side; rename one of them",
        "services[2].name: containers[0] has this name too, and their scripts lie side by side; rename one of them",
        "services[4].name: services[3] has this name too, and their scripts lie side by side; rename one of them",
      ],
    },
    {
      name: "a headlessName that conflicts with the Service of the services",
      args: { network: { headlessName: "demo-services" }, services: [{ image: "i", name: "store-0" }] },
      errors: ["network.headlessName: conflicts with the Service created for services; choose another name"],
    },
    {
      name: "a name that makes the Service name too long",
      args: {
        name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        services: [{ image: "i", name: "store-0" }],
      },
      errors: [
        "name: the host name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-services has 64 characters, " +
          "63 are allowed; shorten name by 1",
      ],
    },
    {
      name: "the longest name with services",
      args: {
        name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        services: [{ image: "i", name: "store-0" }],
      },
    },
    {
      name: "a longer name, and that headlessName, without services",
      args: {
        name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        network: { headlessName: "demo-services" },
      },
    },
    {
      name: "a port that is listed twice, and one of another service",
      args: {
        services: [
          { image: "i", name: "store-0", ports: [80, 80] },
          { image: "i", name: "store-1", ports: [443, 80] },
        ],
      },
      errors: errorsAt(
        ["services[0].ports[1]", "services[1].ports[1]"],
        "80 is a port of services[0] too, in the same pod; choose another port",
      ),
    },
    {
      name: "ports, names and mounts of the brokers, which are in another pod",
      args: {
        containers: [{ image: "i", command: "x", ports: [80], volumes: { data: { path: "/data", claimName: "a" } } }],
        services: [
          { image: "i", name: "flux-view", ports: [80], volumes: { data: { path: "/mnt/flux", claimName: "b" } } },
        ],
      },
    },
    {
      name: "settings for the container that runs Flux",
      args: {
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
      errors: [
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
        "services[0].serviceName: is for a sidecar; the ports of services are those of the service " +
          "<name>-services; remove it",
      ],
    },
    {
      name: "such settings that are off, and commands around the command",
      args: {
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
    },
    {
      name: "settings that exclude each other",
      args: {
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
      errors: [
        "services[0].commands.script: script takes the place of command; give one of them",
        'services[0].pullAlways: pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
        "services[0].secrets.A: is in environment, too; keep one of them",
      ],
    },
    {
      name: "commands without a command or start script, and volumes of another source",
      args: {
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
      errors: [
        "services[0].commands: require a command; this container uses its image's entrypoint: add command or script",
        "services[1].commands: need a start script, which noWrapEntrypoint leaves out; remove one of them",
        'services[0].volumes["minicluster-config"]: is the name of one of the component\'s own volumes; choose ' +
          "another name",
        "services[1].volumes.data: has another source in services[0]; a volume has one source in a pod, so " +
          "rename one of them",
      ],
    },
  ]);
});

describe("the rules of the services of sidecars", () => {
  itValidates([
    {
      name: "a serviceName of the container that runs Flux",
      args: { containers: [{ image: "i", command: "x", ports: [80], serviceName: "nginx" }] },
      errors: ["containers[0].serviceName: is only for a container that does not run Flux; remove it or move it there"],
    },
    {
      name: "a serviceName without ports",
      args: { containers: [aBroker(), { image: "i", name: "web", serviceName: "nginx" }] },
      errors: [
        "containers[1].serviceName: a service leads to ports, and this container has none; add ports or remove " +
          "serviceName",
      ],
    },
    {
      name: "a port that is listed twice, and the Service of the brokers",
      args: {
        containers: [aBroker(), { image: "i", name: "web", ports: [80, 443, 80], serviceName: "demo" }],
      },
      errors: [
        "containers[1].ports[2]: 80 is listed twice; remove one of them",
        'containers[1].serviceName: "demo" conflicts with the Service of the brokers; choose another name',
      ],
    },
    {
      name: "a serviceName that conflicts with another Service",
      args: {
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
      errors: [
        'containers[1].serviceName: "hosts" conflicts with the Service of the brokers; choose another name',
        'containers[2].serviceName: "demo-services" conflicts with the Service created for services; choose ' +
          "another name",
        'containers[3].serviceName: "demo-lead" conflicts with the Service created for bursting.expose; choose ' +
          "another name",
        'containers[5].serviceName: "other" conflicts with the Service of containers[4]; choose another name',
      ],
    },
    {
      name: "names of Services that do not exist",
      args: {
        containers: [
          aBroker(),
          { image: "i", name: "web", ports: [80], serviceName: "demo" },
          { image: "i", name: "b", ports: [80], serviceName: "demo-services" },
          { image: "i", name: "c", ports: [80], serviceName: "c" },
        ],
        network: { headlessName: "hosts" },
      },
    },
    {
      name: "a port that is listed twice without serviceName",
      args: { containers: [aBroker(), { image: "i", name: "web", ports: [80, 80] }] },
    },
  ]);
});
