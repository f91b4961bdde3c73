import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { buildKarpenterPool } from "../../../provider/clouds/eks/karpenter/objects";
import { buildNodeGroup } from "../../../provider/clouds/eks/nodes/objects";
import { plugins } from "../../../provider/clouds/nodes/parse/devicePlugins";
import { aKarpenterPool, anEksPool, blockArgs } from "../clouds/nodes/fixtures";

const page = readFileSync("docs/node-pools.md", "utf8");
const gb200 = readFileSync("examples/eks-gb200/README.md", "utf8");

const versionOf = (image: unknown) => /:(v[^@]+)/.exec(String(image))?.[1] ?? assert.fail(String(image));

describe("the facts of the page on node pools", () => {
  it("are the versions of the device plugins that the pools run", () => {
    assert.match(page, new RegExp(`NVIDIA \\(${versionOf(plugins.nvidia.image)}\\)`));
    assert.match(page, new RegExp(`EFA \\(${versionOf(plugins.efa.image)}\\)`));
  });

  it("name the limit that a NodePool of Karpenter has", () => {
    const { limits } = buildKarpenterPool(aKarpenterPool()).spec as { limits: object };
    const [resource, ...others] = Object.keys(limits);
    assert.deepEqual(others, []);
    assert.match(page, new RegExp(`\\blimits\\.${resource}\\b`));
  });
});

describe("the steps before eks-gb200", () => {
  it("install what sets the label that the driver reads, on nodes that the charts select, before the first up", () => {
    const [discovery, driver, up] = ["helm install gpu-feature-discovery", "helm install dra-driver", "pulumi up"].map(
      (step) => gb200.indexOf(step),
    );
    assert.ok(discovery! > 0 && discovery! < driver! && driver! < up!);
    const pool = anEksPool(blockArgs({ machineTypes: ["p6e-gb200.36xlarge"] }));
    const { labels } = buildNodeGroup(pool, { subnetIds: [], launchTemplate: { id: "lt", version: "1" } });
    assert.equal((labels as Record<string, string>)["nvidia.com/gpu.present"], "true");
    assert.match(gb200, /`nvidia\.com\/gpu\.present`/);
  });

  it("use GPU Feature Discovery of the version of the plugin, which is in the same release", () => {
    assert.match(gb200, new RegExp(`k8s-device-plugin --version ${versionOf(plugins.nvidia.image).slice(1)} `));
  });
});
