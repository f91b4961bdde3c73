import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aBursting, aContainer } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

/** A cluster with a sidecar whose service is called nginx. */
const web = (sidecar: Partial<MiniClusterContainerArgs> = {}, args: Partial<MiniClusterArgs> = {}) => ({
  containers: [
    aContainer({ runFlux: true }),
    aContainer({ name: "web", ports: [80], serviceName: "nginx", ...sidecar }),
    aContainer({ name: "other", ports: [81], serviceName: "other" }),
  ],
  ...args,
});
const at = "containers[1].serviceName";

describe("the rules of the services of sidecars", () => {
  itRefuses([
    {
      rule: "one of the container that runs Flux",
      args: { containers: [aContainer({ ports: [80], serviceName: "nginx" })] },
      path: "containers[0].serviceName",
      says: "is only for a container that does not run Flux; remove it or move it there",
    },
    ...[undefined, []].map((ports) => ({
      rule: `one with ${ports ? "no" : "undefined"} ports`,
      args: web({ ports }),
      path: at,
      says: "a service leads to ports, and this container has none; add ports or remove serviceName",
    })),
    {
      rule: "a port that stands there twice",
      args: web({ ports: [80, 443, 80] }),
      path: "containers[1].ports[2]",
      says: "80 is listed twice; remove one of them",
    },
    {
      rule: "a name that no service can have",
      args: web({ serviceName: "1nginx" }),
      path: at,
      says: /^"1nginx" must be a lowercase DNS label that starts with a letter/,
    },
    {
      rule: "the name of the cluster, which its service has",
      args: web({ serviceName: "demo" }),
      path: at,
      says: '"demo" is the name of the service of the brokers, too; choose another name',
    },
    {
      rule: "the name of the headless service",
      args: web({}, { network: { headlessName: "nginx" } }),
      path: at,
      says: '"nginx" is the name of the service of the brokers, too; choose another name',
    },
    {
      rule: "the name of the service of services",
      args: web({ serviceName: "demo-services" }, { services: [{ image: "i", name: "store" }] }),
      path: at,
      says: '"demo-services" is the name of the service of services, too; choose another name',
    },
    {
      rule: "the name of the service that leads to the lead broker",
      args: web(
        { serviceName: "demo-lead" },
        { bursting: aBursting({ expose: { nodePort: { address: "a.example" } } }) },
      ),
      path: at,
      says: '"demo-lead" is the name of the service of bursting.expose, too; choose another name',
    },
    {
      rule: "one name for two sidecars",
      args: web({ serviceName: "other" }),
      path: "containers[2].serviceName",
      says: '"other" is the name of the service of containers[1], too; choose another name',
    },
    {
      rule: "one of a container of services",
      args: { services: [{ image: "i", name: "store", ports: [80], serviceName: "nginx" }] },
      path: "services[0].serviceName",
      says: "is for a sidecar; the ports of services are those of the service <name>-services; remove it",
    },
  ]);

  itAccepts({
    "services of two sidecars": web(),
    "the name of the cluster where its service has another": web(
      { serviceName: "demo" },
      { network: { headlessName: "hosts" } },
    ),
    "the name of the service of services where there is none": web({ serviceName: "demo-services" }),
    "the name of the container": web({ serviceName: "web" }),
    "a port that stands twice where there is no service": web({ ports: [80, 80], serviceName: undefined }),
  });
});
