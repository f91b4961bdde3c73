import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { aContainer, aGpuPool, aMiniClusterArgs } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { problemsOf } from "../../../../support/problems";

describe("binding to a pool", () => {
  it("changes nothing of what it was given", () => {
    const args = aMiniClusterArgs({
      pool: aGpuPool({ lockMemory: true, taints: [{ key: "a", effect: "NoSchedule" }], environment: { A: "a" } }),
      flux: {},
      pod: { nodeSelector: { a: "b" }, tolerations: [{ operator: "Exists" }] },
      containers: [
        aContainer({
          ...{ environment: { B: "b" }, volumes: { data: { path: "/data", claimName: "c" } } },
          resources: { limits: { memory: "1Gi" }, requests: { memory: "1Gi" } },
          securityContext: { capabilities: { add: ["SYS_NICE"] } },
        }),
      ],
    });
    const before = structuredClone(args);
    manifestsOf(deepFreeze(args));
    assert.deepEqual(args, before);
  });

  const inMain = (container: object) => ({ containers: [{ ...aContainer(), ...container }] });
  const inTemplate = (item: object) => ({ podTemplate: { spec: { containers: [{ name: "demo", ...item }] } } });
  const malformed: Record<string, object> = {
    "a container that is none": { containers: [5] },
    "no container in the place of one": { containers: [undefined] },
    "a container that is null beside another one": { containers: [null, aContainer({ runFlux: true })] },
    "containers that are no list": { containers: "x" },
    "resources that are a list": inMain({ resources: [] }),
    "limits that are a list": inMain({ resources: { limits: [] } }),
    "a misspelt list of resources": inMain({ resources: { limit: { cpu: "1" } } }),
    "requests that are null": inMain({ resources: { limits: { cpu: "1" }, requests: null } }),
    "an environment that is null": inMain({ environment: null }),
    "secrets that are null": inMain({ secrets: null }),
    "volumes that are an output": inMain({ volumes: pulumi.output({}) }),
    "a security context that is none": inMain({ securityContext: 5 }),
    "capabilities that are null": inMain({ securityContext: { capabilities: null } }),
    "a capability that is no list": inMain({ securityContext: { capabilities: { add: "ALL" } } }),
    "Flux that is null": { flux: null },
    "an architecture that is null": { flux: { arch: null } },
    "an architecture that is an output": { flux: { arch: pulumi.output("arm64") } },
    "a pod that is null": { pod: null },
    "a pod that is none": { pod: 5 },
    "tolerations that are null": { pod: { tolerations: null } },
    "tolerations that are no list": { pod: { tolerations: {} } },
    "one toleration of many": { pod: { tolerations: [{ key: "a" }, 5] } },
    "a node selector that is none": { pod: { nodeSelector: "a" } },
    "node affinity that is none": { pod: { nodeAffinity: { "minicluster/pool": 5 } } },
    "an affinity that is none": { network: { affinity: 5 } },
    "sizes that are no numbers": { size: "3", maxSize: null },
    "a pod template that is null": { podTemplate: null },
    "containers of a pod template that are no list": { podTemplate: { spec: { containers: 5 } } },
    "containers of a pod template that are none": {
      podTemplate: { spec: { containers: [5], initContainers: [null] } },
    },
    "resources of a pod template that are null": inTemplate({ resources: null }),
    "limits of a pod template that are null": inTemplate({ resources: { limits: null } }),
    "an amount of a pod template that is null": inTemplate({ resources: { limits: { "nvidia.com/gpu": null } } }),
  };
  for (const [name, args] of Object.entries(malformed))
    it(`leaves it to the schema to speak of ${name}`, () => {
      const problems = problemsOf(aMiniClusterArgs({ ...args, pool: aGpuPool({ lockMemory: true, nodes: 2 }) }));
      assert.notDeepEqual(problems, []);
      assert.deepEqual(problems, problemsOf(aMiniClusterArgs(args)));
    });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
