import * as assert from "node:assert/strict";
import type { BurstClusterArgs, MiniClusterArgs } from "../../../../provider";
import { jobsOf, type MiniClusterSpec } from "../../../../provider/core/parse/spec";
import { parseBurstClusterArgs } from "../../../support/specs";
import { parseMiniClusterArgs } from "../../../support/specs";
import { allClusters } from "../../../support/everything";
import { aMiniClusterArgs, aBursting, aHome, aPlan, aRoot, aSidecar, aContainer } from "../../../support/fixtures";
import { manifestsFor } from "../../../support/manifests";
import { problemsOfParse } from "../../../support/problems";

/** The rule of the API server on the name of a kind, if that is not the rule of most kinds. */
const rules: Record<string, RegExp> = {
  service: /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i,
  // The host name of a pod, and of the pods of a Job with a rank at its end, is a label.
  pod: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  job: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  others: /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
};
const labelValue = /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/;

const kindOf = (key: string) =>
  /service(s?Service)?$|Services\./i.test(key)
    ? "service"
    : /Pod$/.test(key)
      ? "pod"
      : /^job$/.test(key)
        ? "job"
        : "others";

type NamedObject = readonly [path: string, object: { metadata: { name?: string } }];

/** Every object of the manifests of a Job, by the path of its place. */
function objectsIn(value: object, path: string[] = []): NamedObject[] {
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    if (typeof each !== "object" || each === null) return [];
    const place = [...path, key];
    if ("metadata" in each) return [[place.join("."), each as { metadata: { name?: string } }] as const];
    return objectsIn(each, place);
  });
}

/** Labels and selectors anywhere in an object. */
function labelsIn(value: unknown, key = ""): [key: string, value: string][] {
  if (typeof value !== "object" || value === null) return [];
  if (/^(labels|matchLabels|selector|nodeSelector)$/.test(key))
    return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.entries(value).flatMap(([name, each]) => labelsIn(each, name));
}

/** Derived names of a cluster that the API server refuses. */
function refusedNames(spec: MiniClusterSpec): string[] {
  return jobsOf(spec).flatMap((job) => {
    const hosts = [`${job.name}-${job.maxSize - 1}`].filter((host) => !rules["pod"]!.test(host));
    const objects = objectsIn(manifestsFor(job)).flatMap(([path, object]) => {
      const name = object.metadata.name ?? "";
      const labels = labelsIn(object).filter(([, value]) => !labelValue.test(value));
      return [
        ...(rules[kindOf(path)]!.test(name) ? [] : [`${path}: ${name}`]),
        ...labels.map(([key, value]) => `${path}: label ${key}: ${value}`),
      ];
    });
    return [...hosts, ...objects];
  });
}

// Every length from the shortest suffix to the longest, and a digit that only some kinds allow at the start.
const names = [1, ...Array.from({ length: 16 }, (_, index) => 48 + index)].map((length) => "a".repeat(length));
const all = [...names.map((name) => ({ name, network: {} })), { name: "3d", network: { headlessName: "hosts" } }];

describe("the names that are derived from the name of a cluster", () => {
  const services = [aContainer({ name: "store", command: undefined })];
  const more: Record<string, Partial<MiniClusterArgs>> = {
    "a console": { console: { users: ["a"] }, interactive: true },
    services: { services },
    metrics: { metrics: { podMonitor: {} }, network: { policy: "pods" } },
    "an agent": { interactive: true, autoscale: { max: 4 } },
    "groups beside a console": {
      interactive: true,
      console: { users: ["a"] },
      prepull: true,
      groups: { cpu: { autoscale: { max: 10 } } },
    },
    "a node port": { bursting: aBursting({ expose: { nodePort: { address: "203.0.113.7" } } }) },
    "a sidecar with a Service": {
      containers: [aContainer({ runFlux: true }), aSidecar({ ports: [80], serviceName: "side" })],
    },
    "the state on a volume": { interactive: true, lead: { storage: { size: "1Gi" } } },
  };
  const clusters: Record<string, Partial<MiniClusterArgs>> = { ...allClusters, ...more };
  for (const [what, args] of Object.entries(clusters))
    it(`are valid, or the name is refused: ${what}`, () => {
      let accepted = 0;
      for (const { name, network } of all) {
        const given = aMiniClusterArgs({ ...args, name, network: { ...args.network, ...network } });
        if (problemsOfParse(() => parseMiniClusterArgs(name, given)).length > 0) continue;
        accepted++;
        assert.deepEqual([name, refusedNames(parseMiniClusterArgs(name, given))], [name, []]);
      }
      assert.ok(accepted > 5, `${accepted} names were accepted`);
    });

  it("are valid, or the name is refused: a BurstCluster", () => {
    let accepted = 0;
    for (const name of names) {
      const clusters = [{ name, maxSize: 10 }];
      const args = { prepull: true, services, containers: [aContainer({ command: undefined })], autoscale: {} };
      if (
        problemsOfParse(() => aHome({}, { clusters, expose: { endpoint: { address: "a" }, demand: { port: 1 } } }))
          .length > 0
      )
        continue;
      const plan = aPlan(aHome({}, { clusters, expose: { endpoint: { address: "a" }, demand: { port: 1 } } }));
      const given = { ...args, root: aRoot({ plan, demandPort: 30_860 }) } as BurstClusterArgs;
      if (problemsOfParse(() => parseBurstClusterArgs(name, given)).length > 0) continue;
      accepted++;
      assert.deepEqual([name, refusedNames(parseBurstClusterArgs(name, given))], [name, []]);
    }
    assert.ok(accepted > 5, `${accepted} names were accepted`);
  });
});
