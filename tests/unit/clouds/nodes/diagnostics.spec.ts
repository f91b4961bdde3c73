import type { NodePoolScheduling } from "../../../../provider";
import { resolveSizing, type SizingFields } from "../../../../provider/clouds/nodes/parse/sizing";
import { creationNotices, type NodeFacts, resizeDiagnostics } from "../../../../provider/clouds/nodes/diagnostics";
import { diagnosing } from "./tables";

const plain: NodePoolScheduling["node"] = { arch: "amd64", vcpus: 96, cores: 96, memoryMib: 393_216 };

type Change = [node: NodePoolScheduling["node"], before: NodeFacts, after: NodeFacts, pricePerHour?: number];

describe("the diagnostics on a pool of another size", () => {
  const { says, saysAll, saysNothing } = diagnosing(([node, before, after, pricePerHour]: Change) =>
    resizeDiagnostics({ pool: "hpc", node, pricePerHour }, before, after),
  );
  const [p5, both] = [{ ...plain, gpus: 8, fabric: "efa", fabricInterfaces: 32 } as const, { fixed: 4 }];
  const big = { ...both, machineType: "big" };
  const fewerThreads: Change = [plain, { ...both, machineType: "small", node: { ...plain, vcpus: 192 } }, big];
  const withTier1: Change = [{ ...plain, fabric: "tier1", fabricInterfaces: 1 }, both, { fixed: 8 }];
  const priced: Change = [plain, { fixed: 2 }, both, 3.37];
  const pricedMachines: Change = [plain, { max: 2, machineType: "a" }, { max: 2, machineType: "b" }, 3.37];
  says({
    "info: pool hpc: nodes 4 => 8, GPUs 32 => 64, EFA interfaces 128 => 256, vCPUs 384 =>…": [p5, both, { fixed: 8 }],
    "info: pool hpc (maximum): nodes 4 => 8, vCPUs 384 => 768, GiB of memory 1536 => 3072": [plain, both, { max: 8 }],
    ["info: pool hpc: machines small => big, nodes 4 => 4, GPUs 0 => 32, EFA interfaces 0 => 128, vCPUs 384 => " +
    "384, GiB of memory 1536 => 1536"]: [p5, { ...both, machineType: "small", node: plain }, big],
    "info: pool hpc: machines small => big, nodes 4 => 4, vCPUs 768 => 384, GiB of memory 1536 => 1536": fewerThreads,
    "info: pool hpc: nodes 4 => 8, Tier_1 interfaces 4 => 8, vCPUs 384 => 768, GiB of memory 1536 => 3072": withTier1,
    "info: pool hpc: nodes 2 => 4, vCPUs 192 => 384, GiB of memory 768 => 1536, price per hour 6.74 =>…": priced,
    "info: pool hpc (maximum): machines a => b, nodes 2 => 2, price per hour 6.74": pricedMachines,
  });
  saysAll(
    [plain, { fixed: 2 }, { fixed: 0 }],
    [
      "info: pool hpc: nodes 2 => 0, vCPUs 192 => 0, GiB of memory 768 => 0",
      "warning: pool hpc loses 2 of 2 nodes; the cloud chooses which, even nodes on which brokers run.…",
    ],
  );
  saysAll(
    [plain, { max: 8 }, { max: 4 }],
    [
      "info: pool hpc (maximum): nodes 8 => 4, vCPUs 768 => 384, GiB of memory 3072 => 1536",
      "warning: pool hpc may have at most 4 nodes instead of 8…",
    ],
  );
  saysNothing({
    "the same machine with numbers of 0": [
      plain,
      { fixed: 4, node: { ...plain, gpus: 0, fabricInterfaces: 0 } },
      { fixed: 4 },
    ],
    "a former size that is unknown": [plain, {}, { fixed: 4 }],
    "a new size that is unknown": [plain, { max: 4 }, {}],
  });
});

describe("the notices of a new pool", () => {
  const { says, saysNothing } = diagnosing(
    ([size, pricePerHour, currency, source]: [SizingFields, number?, string?, string?]) =>
      creationNotices({ pool: "hpc", node: plain, pricePerHour, currency }, resolveSizing(size), source),
  );
  const list = "AWS Price List, us-east-1, on demand, 2026-11-26";
  says({
    "info: pool hpc: nodes 2, vCPUs 192, GiB of memory 768, price per hour 6.74": [{ size: 2 }, 3.37],
    [`info: pool hpc: nodes 2, vCPUs 192, GiB of memory 768, price per hour 6.74 USD (${list})`]: [
      ...([{ size: 2 }, 3.37, "USD", list] as const),
    ],
    "info: pool hpc (maximum): nodes 4, vCPUs 384, GiB of memory 1536…": [{ minSize: 1, maxSize: 4 }, 3.37],
  });

  saysNothing({ "no price": [{ size: 2 }] });
});
