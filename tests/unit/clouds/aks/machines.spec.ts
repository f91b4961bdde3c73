import * as assert from "node:assert/strict";
import { aksMachineType, aksMachineTypes } from "../../../../provider/clouds/aks/machines";
import { itHolds } from "../nodes/tables";

describe("what the sizes of Azure have", () => {
  it("is not known of names that no size has, or that Azure has retired", () => {
    for (const name of [
      // Core counts that a series lacks, or above its cores; a version that is missing, or that does not exist.
      "Standard_HB120-48rs_v3",
      "Standard_HB120-144rs_v3",
      "Standard_HB120rs",
      "Standard_HX176rs_v4",
      "Standard_HB60rs",
      // Counts that the family, or this version of it, does not have; features that no series combines.
      "Standard_D6s_v5",
      "Standard_D96ps_v5",
      "Standard_D128s_v5",
      "Standard_D4sp_v5",
      "Standard_D04s_v5",
      "HB120rs_v3",
      " Standard_HB120rs_v3",
      "hpc7a.96xlarge",
      "",
      "constructor",
    ])
      assert.equal(aksMachineType(name), undefined, name);
  });

  it("takes a size in any case, as Azure does", () =>
    assert.deepEqual(aksMachineType("standard_hb120-96rs_v3"), aksMachineType("Standard_HB120-96rs_v3")));

  it("has no two sizes that differ only in case", () =>
    assert.equal(new Set([...aksMachineTypes.keys()].map((name) => name.toLowerCase())).size, aksMachineTypes.size));
});

/** Family letters, virtual CPUs, those one may use, features, accelerator, version: Azure's naming convention. */
const convention = /^Standard_([A-Z]+)(\d+)(?:-(\d+))?([a-z]*)(?:_xl)?((?:_[A-Z][A-Z0-9]+)*)(?:_v(\d+))?$/;

describe("every Azure size that has a row", () => {
  const rows = [...aksMachineTypes].map(([name, machine]) => {
    const [, family = "", all, usable, features = "", model = ""] = convention.exec(name) ?? assert.fail(name);
    const gib = machine.memoryMib / 1024;
    const isArm = machine.arch === "arm64";
    return { ...machine, name, family, named: Number(usable ?? all), features, model, gib, isArm };
  });
  type Row = (typeof rows)[number];

  const devicesOf = ({ name, accelerator }: Row) =>
    /_HB\d.*_v5$/.test(name) ? 4 : accelerator && !name.endsWith("_v2") ? accelerator.count : 1;
  const usualGib = ({ name, vcpus }: Row) => vcpus * (/_E/.test(name) ? 8 : /_F|_D\d+[a-z]*l/.test(name) ? 2 : 4);

  itHolds(rows, {
    "has in its name the virtual CPUs, and in that of a constrained size those that one may use": (row) =>
      row.named === row.vcpus,
    "has an r among its features if and only if it is on InfiniBand": ({ features, infinibandDevices }) =>
      features.includes("r") === infinibandDevices > 0,
    "has a p among its features if and only if it is ARM without an accelerator": ({ features, isArm, accelerator }) =>
      features.includes("p") === (isArm && !accelerator),
    "begins with N if and only if it has accelerators": ({ family, accelerator }) =>
      family.startsWith("N") === (accelerator !== undefined),
    "has in its name the model of the accelerator wherever it names one": ({ model, accelerator }) =>
      !model || model.replace(/BSE$/, "").endsWith(`_${accelerator?.model.replaceAll(" ", "")}`),
    "has one InfiniBand device for each GPU of ND since version 4, four in HB v5, else one where it has any": (row) =>
      row.infinibandDevices === 0 || row.infinibandDevices === devicesOf(row),
    "has eight GPUs in ND, or four beside ARM, and otherwise one, two or four": ({ family, isArm, accelerator }) =>
      !accelerator || (family === "ND" ? [isArm ? 4 : 8] : [1, 2, 4]).includes(accelerator.count),
    "has a local disk in D and E of the versions 4 and 5 if and only if it has a d among its features": (row) =>
      !/^Standard_[DE]\d.*_v[45]$/.test(row.name) || row.features.includes("d") === (row.localDiskGb !== undefined),
    "has the local disks of the whole machine in a constrained size": (row) =>
      aksMachineTypes.get(row.name.replace(/-\d+/, ""))?.localDiskGb === row.localDiskGb,
    "has whole cores": ({ vcpus, threadsPerCore }) => Number.isInteger(vcpus / threadsPerCore),
    "has one thread to a core on ARM and on InfiniBand": ({ isArm, infinibandDevices, threadsPerCore }) =>
      !(isArm || infinibandDevices > 0) || !(threadsPerCore > 1),
    "has memory in whole GiB, one to each virtual CPU at least": ({ gib, vcpus }) =>
      Number.isInteger(gib) && gib >= vcpus,
    "has at least the two virtual CPUs that AKS requires": ({ vcpus }) => vcpus >= 2,
    "has in a constrained size, which is the same machine with cores left out, the memory of the whole one": (row) =>
      aksMachineTypes.get(row.name.replace(/-\d+/, ""))?.memoryMib === row.memoryMib,
    "has 2, 4 or 8 GiB for each virtual CPU of D, E and F, and seldom less in the largest": (row) => {
      const part = row.gib / usualGib(row);
      return !/^Standard_[DEF]\d/.test(row.name) || part === 1 || (row.vcpus >= 32 && part < 1 && part > 0.75);
    },
  });
});
