import * as assert from "node:assert/strict";
import { eksMachineTypes } from "../../../../provider/clouds/eks/machines";
import { imageWarnings } from "../../../../provider/clouds/eks/karpenter/diagnostics";
import { chartWarnings, driverWarnings } from "../../../../provider/clouds/eks/nodes/diagnostics";
import { leastMachine } from "../../../../provider/clouds/machines";
import { localDiskNotices } from "../../../../provider/clouds/nodes/diagnostics";
import { aGkePool, aKarpenterPool, aksPool, anEksPool, efaArgs, m99 } from "./fixtures";
import { diagnosing } from "./tables";

type Pool = Parameters<typeof localDiskNotices>[0] & { machine: Parameters<typeof localDiskNotices>[1] };

const p5 = { machineTypes: ["p5.48xlarge"] };

describe("a machine of several types", () => {
  const typeOf = (memoryMib: number, localDiskGb?: number) => ({
    ...m99,
    memoryMib,
    ...(localDiskGb && { localDiskGb }),
  });
  it("has the least memory and the smallest local disks", () =>
    assert.deepEqual(leastMachine([typeOf(64, 400), undefined, typeOf(32, 900)]), typeOf(32, 400)));
  it("has no local disks if the first type has none", () =>
    assert.deepEqual(leastMachine([typeOf(64), typeOf(32, 900)]), typeOf(32)));
  it("is unknown if all types are", () => assert.equal(leastMachine([undefined]), undefined));
});

describe("the diagnostics of the local disks of a new pool", () => {
  const { says, saysNothing } = diagnosing((pool: Pool) => localDiskNotices(pool, pool.machine));
  const idle = (gb: number) =>
    `warning: pool hpc: ${gb} GB of local disks on each node are not used; set localDisks to "raid0" for images ` +
    'and the volumes of pods, or to "none"';
  const shared = (gb: number) =>
    `info: pool hpc: images and the volumes of pods share ${gb} GB of local disks ` +
    "on each node (localDisk: true in a volume)";
  says({
    [idle(30_400)]: anEksPool(p5),
    [idle(15_000)]: anEksPool({ machineTypes: ["i99.large"], hardware: { ...m99, localDiskGb: 15_000 } }),
    [idle(3600)]: aksPool({ machineType: "Standard_HB176rs_v4" }),
    [idle(7600)]: aKarpenterPool({ machineTypes: ["g6e.48xlarge"] }),
    [shared(30_400)]: anEksPool({ ...p5, localDisks: "raid0" }),
    [shared(12_884)]: aGkePool({ machineType: "a4-highgpu-8g" }),
    [shared(322)]: aksPool({ machineType: "Standard_D8ds_v5", localDisks: "raid0" }),
    // Its image leaves images on the OS disk.
    [shared(17_592).replace("images and ", "")]: aksPool({ machineType: "Standard_ND128isr_NDR_GB200_v6" }),
    "info: pool hpc: a pod may have 3600 GB of local disks on each node (localDisk: true in a volume)": aksPool({
      machineType: "Standard_HB176rs_v4",
      localDisks: "raid0",
    }),
  });
  saysNothing({
    "disks that are to be left alone": anEksPool({ ...p5, localDisks: "none" }),
    "disks of less than a terabyte": anEksPool({ machineTypes: ["g4dn.8xlarge"] }),
    "machines without disks": anEksPool(),
    "raw disks": aGkePool({ machineType: "a4-highgpu-8g", localDisks: "raw" }),
  });

  it("counts of several instance types the least", () => {
    const machineTypes = ["c6id.32xlarge", "c6i.32xlarge"];
    assert.equal(anEksPool({ machineTypes: [...machineTypes].reverse() }).machine.localDiskGb, undefined);
    assert.equal(anEksPool({ machineTypes }).machine.localDiskGb, 0);
  });

  it("lists disks of each type whose name implies them: the feature d, or GPUs since P3dn and G4dn", () => {
    const named = /^(p[3-5]|g[4-7])[a-z]*\.|^[a-z]+\d[a-z]*d[a-z]*\./;
    const exceptions = /^(g5g|p6)/;
    for (const [type, { localDiskGb }] of Object.entries(eksMachineTypes))
      if (named.test(type) && !exceptions.test(type)) assert.ok(localDiskGb !== undefined && localDiskGb > 0, type);
  });
});

describe("the diagnostics of images of Bottlerocket", () => {
  const { says, saysNothing } = diagnosing(imageWarnings);
  const g7 = { machineTypes: ["g7.12xlarge"] };
  says({
    ["warning: pool hpc: Bottlerocket has the driver for the RTX PRO 4500 of g7.12xlarge from Kubernetes 1.37 on; " +
    'in a cluster of an older version, use os "al2023"']: aKarpenterPool({ ...g7, os: "bottlerocket" }),
  });
  saysNothing({
    "Amazon Linux": aKarpenterPool(g7),
    "an image of the user's own": aKarpenterPool({ ...g7, os: "bottlerocket", amiIds: ["ami-595"] }),
    "GPUs that every image has a driver for": aKarpenterPool({ machineTypes: ["g6e.48xlarge"], os: "bottlerocket" }),
  });
});

describe("the diagnostics of the Kubernetes version of EFA by claims", () => {
  const { says, saysNothing } = diagnosing(chartWarnings);
  const claim = (version?: string) => anEksPool(efaArgs({ fabricBy: "claim", ...(version && { version }) }));
  says({
    ['warning: pool hpc: fabricBy "claim" needs Kubernetes 1.34 according to AWS, and 1.35 according to the chart ' +
    "aws-dranet 1.0.0; if pods stay Pending, raise version"]: claim("1.34"),
  });
  saysNothing({
    "a version that both name": claim("1.35"),
    "the version of the cluster": claim(),
    "the plugin": anEksPool(efaArgs({ version: "1.34" })),
  });
});

describe("the diagnostics of EFA by claims", () => {
  const { says, saysNothing } = diagnosing(driverWarnings);
  says({
    ["warning: pool hpc: the DRA driver of EFA does not run on c9g.48xlarge (chart aws-dranet 1.0.0), and pods stay " +
    "Pending; add the types to supportedInstanceLabels.values of the chart"]: anEksPool(
      efaArgs({ machineTypes: ["c9g.48xlarge"], fabricBy: "claim" }),
    ),
  });
  saysNothing({
    "a type that the chart lists": anEksPool(efaArgs({ machineTypes: ["hpc7g.16xlarge"], fabricBy: "claim" })),
    "the plugin": anEksPool(efaArgs({ machineTypes: ["c9g.48xlarge"] })),
  });
});
