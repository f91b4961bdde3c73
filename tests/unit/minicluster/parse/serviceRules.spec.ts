import type { MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

type Service = Partial<MiniClusterContainerArgs>;

const services = (...all: Service[]) => ({
  services: all.map((service, index) => ({ image: "redis:7", name: `store-${index}`, ...service })),
});
const noFlux = "is for the container that runs Flux, and a service has no Flux; remove it";
const sideBySide = (place: string) =>
  `${place} has this name too, and their scripts lie side by side; rename one of them`;

describe("the rules of services", () => {
  describe("on names", () => {
    itRefuses([
      {
        rule: "a service without a name",
        args: services({ name: undefined }),
        path: "services[0].name",
        says: "a service needs a name; give it one",
      },
      {
        rule: "two services of one name",
        args: services({ name: "store" }, { name: "store" }),
        path: "services[1].name",
        says: sideBySide("services[0]"),
      },
      {
        rule: "a service with the name of a sidecar",
        args: {
          containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
          ...services({ name: "side" }),
        },
        path: "services[0].name",
        says: sideBySide("containers[1]"),
      },
      {
        rule: "a service with the name of the cluster, which the container that runs Flux takes",
        args: services({ name: "demo" }),
        path: "services[0].name",
        says: sideBySide("containers[0]"),
      },
      {
        rule: "a headless service with the name of the services' own",
        args: { network: { headlessName: "demo-services" }, ...services({}) },
        path: "network.headlessName",
        says: "is the name of the service of services; choose another name",
      },
      {
        rule: "a name with no room for the services' host name",
        args: { name: "a".repeat(55), ...services({}) },
        path: "name",
        says: `the host name ${"a".repeat(55)}-services has 64 characters, 63 are allowed; shorten name by 1`,
      },
    ]);
    itAccepts({
      "the longest name with services": { name: "a".repeat(54), ...services({}) },
      "that longest name and more without services": { name: "a".repeat(55), services: [] },
      "the services' name for the headless service where there are none": {
        network: { headlessName: "demo-services" },
      },
      "the name of the view's container, which is in another pod": services({ name: "flux-view" }),
    });
  });

  describe("on ports", () => {
    itRefuses([
      {
        rule: "a port of two services",
        args: services({ ports: [80] }, { ports: [443, 80] }),
        path: "services[1].ports[1]",
        says: "80 is a port of services[0] too, in the same pod; choose another port",
      },
      {
        rule: "a port twice in one service",
        args: services({ ports: [80, 80] }),
        path: "services[0].ports[1]",
        says: "80 is a port of services[0] too, in the same pod; choose another port",
      },
    ]);
    itAccepts({ "a port of a container, which is in another pod": { ...services({ ports: [80] }), ...port(80) } });
  });

  describe("on what needs Flux", () => {
    itRefuses([
      ...(["prefix", "pre", "brokerPre", "workerPre"] as const).map((piece) => ({
        rule: piece,
        args: services({ command: "serve", commands: { [piece]: "x" } }),
        path: `services[0].commands.${piece}`,
        says: noFlux,
      })),
      ...(["runFlux", "launcher", "batch", "batchRaw"] as const).map((key) => ({
        rule: key,
        args: services({ command: "serve", [key]: true }),
        path: `services[0].${key}`,
        says: noFlux,
      })),
      {
        rule: "a directory for the output of batch jobs",
        args: services({ logs: "/out" }),
        path: "services[0].logs",
        says: noFlux,
      },
    ]);
    itAccepts({
      "what says no to Flux": services({ runFlux: false, launcher: false, batch: false, batchRaw: false }),
    });
  });

  describe("on what every container has", () => {
    itRefuses([
      {
        rule: "a script beside a command",
        args: services({ command: "x", commands: { script: "y" } }),
        path: "services[0].commands.script",
        says: "script takes the place of command; give one of them",
      },
      {
        rule: "commands around the image's own command",
        args: services({ commands: { init: "x" } }),
        path: "services[0].commands",
        says: "go around a command, and this container runs that of its image; add command or script",
      },
      {
        rule: "commands without the script that runs them",
        args: services({ command: "x", noWrapEntrypoint: true, commands: { servicePre: "y" } }),
        path: "services[0].commands",
        says: "need a start script, which noWrapEntrypoint leaves out; remove one of them",
      },
      {
        rule: "pullAlways beside imagePullPolicy",
        args: services({ pullAlways: true, imagePullPolicy: "Never" }),
        path: "services[0].pullAlways",
        says: 'pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
      },
      {
        rule: "a variable that is both plain and from a Secret",
        args: services({ environment: { A: "a" }, secrets: { A: { name: "s", key: "k" } } }),
        path: "services[0].secrets.A",
        says: "is in environment, too; keep one of them",
      },
      {
        rule: "a volume of the component's own",
        args: services({ volumes: { "minicluster-config": { path: "/data", claimName: "c" } } }),
        path: 'services[0].volumes["minicluster-config"]',
        says: "is the name of one of the component's own volumes; choose another name",
      },
      {
        rule: "one volume name with two sources",
        args: services(
          { volumes: { data: { path: "/data", claimName: "a" } } },
          { volumes: { data: { path: "/data", claimName: "b" } } },
        ),
        path: "services[1].volumes.data",
        says: "has another source in services[0]; a volume has one source in a pod, so rename one of them",
      },
      {
        rule: "no image",
        args: { services: [{ name: "store" }] },
        path: "services[0].image",
        says: "must be a string that is not empty",
      },
    ]);
    itAccepts({
      "every command of a service": services({ command: "x", commands: { init: "a", servicePre: "b", post: "c" } }),
      "a volume where brokers have the Flux volume": services({
        volumes: { data: { path: "/mnt/flux", claimName: "c" } },
      }),
      "a volume name of the brokers' with another source": {
        containers: [aContainer({ volumes: { data: { path: "/data", claimName: "a" } } })],
        ...services({ volumes: { data: { path: "/data", claimName: "b" } } }),
      },
    });
  });
});

function port(number: number) {
  return { containers: [aContainer({ ports: [number] })] };
}
