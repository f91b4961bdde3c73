import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { jobsOf, type MiniClusterSpec } from "../../../../provider/core/parse/spec";
import { aContainer, aMiniCluster, aPool } from "../../../support/fixtures";
import { manifestsFor } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";

interface Container {
  name: string;
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
}

interface Template {
  metadata: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: Container[]; initContainers?: Container[]; securityContext?: Record<string, unknown> };
}

/** Every pod of a cluster, by the object that creates it: everything with containers, wherever it is. */
async function podsOf(spec: MiniClusterSpec): Promise<Record<string, Template>> {
  const all = await Promise.all(
    jobsOf(spec).map(async (job) => {
      const sent: unknown = await valueOf(pulumi.output(manifestsFor(job)));
      return templatesIn(JSON.parse(JSON.stringify(sent)), job.name);
    }),
  );
  return Object.fromEntries(all.flat());
}

function templatesIn(value: unknown, path: string): [string, Template][] {
  if (typeof value !== "object" || value === null) return [];
  const { spec } = value as Partial<Template>;
  if (spec && "containers" in spec) return [[path, value as Template]];
  return Object.entries(value).flatMap(([key, each]) => templatesIn(each, `${path}.${key}`));
}

const everyPod: Partial<MiniClusterArgs> = {
  interactive: true,
  prepull: true,
  containers: [aContainer({ command: undefined })],
  services: [aContainer({ name: "store", command: undefined })],
  groups: { cpu: { autoscale: { max: 4 }, pool: aPool() }, gpu: { size: 2 } },
};

/** The pods of a cluster in every role, and with one Job alone. */
const podsWith = async (args: Partial<MiniClusterArgs>) => {
  const pods = await podsOf(aMiniCluster({ ...everyPod, ...args }));
  const single = { groups: undefined, autoscale: { max: 4 } };
  const alone = await podsOf(aMiniCluster({ ...everyPod, ...single, name: "alone", ...args }));
  const found = { ...pods, ...alone };
  assert.deepEqual(
    Object.keys(found)
      .map((path) => path.replace(/\.spec\.template$/, ""))
      .sort(),
    [
      "alone.agent.deployment",
      "alone.job",
      "alone.prepull",
      "alone.servicesPod",
      "demo-cpu.job",
      "demo-cpu.prepull",
      "demo-gpu.job",
      "demo-gpu.prepull",
      "demo.agent.deployment",
      "demo.job",
      "demo.servicesPod",
    ],
  );
  return Object.entries(found);
};

const containersOf = ({ spec }: Template) => [...(spec.initContainers ?? []), ...spec.containers];

describe("every pod of a cluster", () => {
  it("has the labels and annotations of pod", async () => {
    const marks = { "example.com/owner": "physics" };
    for (const [path, { metadata }] of await podsWith({ pod: { labels: marks, annotations: marks } }))
      for (const each of [metadata.labels, metadata.annotations])
        assert.equal(each?.["example.com/owner"], "physics", path);
  });

  it("sets limits on each container if the arguments set them, as a quota on limits requires", async () => {
    const resources = { limits: { cpu: "1", memory: "1Gi" } };
    const given: Partial<MiniClusterArgs> = {
      containers: [aContainer({ command: undefined, resources })],
      services: [aContainer({ name: "store", command: undefined, resources })],
      flux: { container: { resources } },
    };
    const withLead = await podsOf(aMiniCluster({ ...everyPod, ...given, lead: { resources } }));
    for (const [path, pod] of [...(await podsWith(given)), ...Object.entries(withLead)])
      for (const { name, resources: own } of containersOf(pod)) {
        // Without lead.resources, the container of a separate lead broker has only requests.
        const isGiven = path !== "demo.job.spec.template" || pod === withLead[path];
        if (isGiven) assert.deepEqual([path, name, Object.keys(own?.limits ?? {})], [path, name, ["cpu", "memory"]]);
      }
  });

  const usersIn = async (args: Partial<MiniClusterArgs>) =>
    (await podsWith(args)).map(([path, { spec }]) => {
      const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = spec.securityContext ?? {};
      return [path, { runAsUser, runAsGroup, fsGroup, runAsNonRoot }] as const;
    });

  it("runs as the user and group of pod, such as those of a range of OpenShift", async () => {
    const range = { runAsUser: 1_000_700_000, runAsGroup: 1_000_700_000 };
    for (const podSecurity of ["baseline", "restricted", "restrictedAssignedUser"] as const)
      for (const [path, { runAsUser, runAsGroup }] of await usersIn({ podSecurity, pod: { securityContext: range } }))
        assert.deepEqual([path, { runAsUser, runAsGroup }], [path, range]);
  });

  it("sets no user and no group if the namespace assigns them", async () => {
    const unnamed = { runAsUser: undefined, runAsGroup: undefined, fsGroup: undefined, runAsNonRoot: true };
    for (const [path, user] of await usersIn({ podSecurity: "restrictedAssignedUser" }))
      assert.deepEqual([path, user], [path, unnamed]);
  });

  it("of an agent does not run as root beside brokers that do", async () => {
    const users = Object.fromEntries(await usersIn({ pod: { securityContext: { runAsUser: 0 } } }));
    assert.deepEqual(users["demo.agent.deployment.spec.template"], {
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: undefined,
      runAsNonRoot: true,
    });
    assert.equal(users["demo.job.spec.template"]?.runAsUser, 0);
  });
});
