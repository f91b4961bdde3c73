import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../provider";
import {
  aFalconPoolArgs,
  aGkePoolArgs,
  aRocePoolArgs,
  gkeProblemsOf,
  itAccepts,
  itRefuses,
  type RuleCase,
} from "./fixtures";

const pool = aGkePoolArgs;
const byNeed = { autoscale: { max: 4 } };
const twoZones = ["us-central1-a", "us-central1-b"];

describe("the zones of a GKE node pool", () => {
  itRefuses([
    ["a fixed size without zones", pool({ zones: [] }), "zones", /^GKE counts nodes by zone; name the zones/],
    ["a size that zones cannot share", pool({ zones: twoZones, size: 5 }), "size", /5 cannot be .* use 4 or 6$/],
    ["a zone twice", pool({ zones: ["us-east4-a", "us-east4-a"] }), "zones[1]", /^us-east4-a stands twice/],
    [
      "a region for a zone",
      pool({ zones: ["us-east4"] }),
      "zones[0]",
      '"us-east4" must be a zone, such as "us-central1-a"',
    ],
    [
      "compact placement in two zones",
      pool({ machineType: "c2d-standard-112", placement: "compact", zones: twoZones }),
      "zones",
      "a compact placement lies in one zone, and these are 2; name exactly one",
    ],
    [
      "compact placement without a zone",
      pool({ machineType: "c2d-standard-112", placement: "compact", zones: undefined }),
      "zones",
      "a compact placement lies in one zone, and there is none here; name exactly one",
    ],
    [
      "RDMA in two zones",
      aRocePoolArgs({ zones: twoZones }),
      "zones",
      /^networks for RDMA lie .* 2; name exactly one$/,
    ],
    ["RDMA without a zone", aFalconPoolArgs({ zones: [] }), "zones", /none here; name exactly one$/],
    [
      "a reservation without a zone",
      pool({ capacity: "reservation", reservationName: "r", zones: [], ...byNeed }),
      "zones",
      "a reservation lies in a zone; name it",
    ],
  ]);
  itAccepts({
    "a pool that is scaled by need without zones": pool({ ...byNeed, zones: [] }),
    "a size that zones can share": pool({ zones: twoZones, size: 6 }),
    "no node at all in two zones": pool({ zones: twoZones, size: 0 }),
    "a zone for AI": pool({ zones: ["us-central1-ai1a"] }),
  });
});

describe("the placement of a GKE node pool", () => {
  const compact = (args: Partial<GkeNodePoolArgs>) =>
    pool({ machineType: "c2d-standard-112", placement: "compact", ...args });
  itRefuses([
    [
      "a family without compact placement",
      compact({ machineType: "n1-standard-96" }),
      "placement",
      /no compact placement for n1-standard-96/,
    ],
    [
      "compact placement with queued nodes",
      compact({ capacity: "queued", ...byNeed }),
      "placement",
      /^GKE places queued nodes by itself/,
    ],
    [
      "compact placement with flex start",
      compact({ capacity: "flexStart", ...byNeed }),
      "placement",
      /^flex start brings only A3 Ultra, A4 and H4D/,
    ],
    [
      "a policy without compact placement",
      pool({ placementPolicyName: "p" }),
      "placementPolicyName",
      /beside placement "compact"/,
    ],
    ["more nodes than a placement has", compact({ size: 1501 }), "size", /at most 1500 nodes/],
    [
      "a placement that could grow too large",
      compact({ autoscale: { max: 1501 } }),
      "autoscale.max",
      /at most 1500 nodes/,
    ],
    [
      "a cluster too large for a placement",
      compact({ pairedWith: { size: 1, maxSize: 1501 } }),
      "pairedWith.maxSize",
      /at most 1500/,
    ],
    [
      "a cluster of one size too large for it",
      compact({ pairedWith: { size: 1501 } }),
      "pairedWith.size",
      /at most 1500/,
    ],
  ]);
  itAccepts({
    "compact placement": compact({ size: 1500 }),
    "a policy that exists": compact({ placementPolicyName: pulumi.output("policy") }),
    "compact placement with RDMA in a reservation": aFalconPoolArgs({
      placement: "compact",
      capacity: "reservation",
      reservationName: "r",
    }),
    ...Object.fromEntries(
      [aRocePoolArgs(), aRocePoolArgs({ machineType: "a4-highgpu-8g" }), aFalconPoolArgs()].map((args) => [
        `compact placement with flex start of ${args.machineType}`,
        { ...args, ...byNeed, size: undefined, placement: "compact", capacity: "flexStart" },
      ]),
    ),
  });
});

describe("the capacity of a GKE node pool", () => {
  const onRequest = ["flexStart", "queued"] as const;
  itRefuses([
    [
      "a reservation without a name",
      pool({ capacity: "reservation" }),
      "reservationName",
      /needs the name of the reservation/,
    ],
    ...(["onDemand", "spot"] as const).map((capacity): RuleCase => [
      `a reservation beside "${capacity}"`,
      pool({ capacity, reservationName: "r" }),
      "reservationName",
      `nodes of capacity "${capacity}" come from no reservation; remove it, or use capacity "reservation"`,
    ]),
    ...onRequest.flatMap((capacity): RuleCase[] => [
      [
        `a reservation beside "${capacity}"`,
        pool({ capacity, reservationName: "r", ...byNeed }),
        "reservationName",
        /come from no reservation/,
      ],
      [`a fixed size with "${capacity}"`, pool({ capacity, size: 2 }), "size", /come on request, in no fixed number/],
      [
        `auto-repair with "${capacity}"`,
        pool({ capacity, autoRepair: true, ...byNeed }),
        "autoRepair",
        /^GKE cannot replace nodes/,
      ],
    ]),
    [
      "queued nodes that are always there",
      pool({ capacity: "queued", autoscale: { min: 1, max: 4 } }),
      "autoscale.min",
      "queued nodes come on request, and none stay that nobody has asked for; 1 must be 0",
    ],
    [
      "a run time of nodes that stay",
      pool({ maxRunSeconds: 60 }),
      "maxRunSeconds",
      /beside capacity "flexStart" or "queued"/,
    ],
    [
      "a run time of more than a week",
      pool({ capacity: "queued", maxRunSeconds: 604_801, ...byNeed }),
      "maxRunSeconds",
      /from 1 to 604800/,
    ],
    [
      "spot capacity that is not sold",
      pool({ machineType: "h3-standard-88", capacity: "spot" }),
      "capacity",
      /^h3-standard-88 is not sold as spot/,
    ],
    [
      "a capacity that Google does not have",
      pool({ capacity: "capacityBlock" as never }),
      "capacity",
      /^must be one of "onDemand"/,
    ],
  ]);
  itAccepts({
    "spot capacity": pool({ capacity: "spot" }),
    "flex start with nodes that are always there": pool({ capacity: "flexStart", autoscale: { min: 1, max: 4 } }),
    "queued nodes for a cluster": pool({
      capacity: "queued",
      pairedWith: { size: 4 },
      maxRunSeconds: 3600,
      autoRepair: false,
    }),
    "a reservation that is not known yet": pool({ capacity: "reservation", reservationName: pulumi.output("r") }),
  });
});

describe("the arguments of a GKE node pool", () => {
  itRefuses([
    ["no number of nodes", { ...pool(), size: undefined }, "size", /^how many nodes\?/],
    ["two numbers of nodes", pool({ size: 2, ...byNeed }), "size", /keep size, or autoscale/],
    ["a misspelt property", pool({ machineTypes: ["c4-standard-8"] } as never), "machineTypes", /^unknown property/],
    [
      "an output where the shape is decided",
      pool({ machineType: pulumi.output("c4-standard-8") as never }),
      "machineType",
      /known before anything is created/,
    ],
    ["no place", { ...pool(), location: "" }, "location", /not empty/],
    ["an empty name", { ...pool(), name: "" }, "name", /lowercase DNS label/],
  ]);

  it("are all checked before the first complaint", () => {
    const problems = gkeProblemsOf({ machineType: "c9-standard-8", zones: 7, size: -1, fabric: "efa", color: "blue" });
    const paths = problems.map(({ propertyPath }) => propertyPath).sort();
    assert.deepEqual(paths, ["clusterName", "color", "fabric", "location", "machineType", "size", "zones"]);
  });
});
