import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import type { EksNodePoolArgs } from "../../../../../../provider";
import { lustreWarnings } from "../../../../../../provider/clouds/eks/nodes/diagnostics";
import { lustreDevices, lustreScript } from "../../../../../../provider/clouds/eks/nodes/parse/lustre";
import { renderUserData } from "../../../../../../provider/clouds/eks/nodes/parse/os";
import { validating } from "../../../../../support/problems";
import { anEksPool, anEksPoolArgs, blockArgs, efaArgs, eksProblemsOf, m99 } from "../../../nodes/fixtures";
import { diagnosing } from "../../../nodes/tables";

const lustre = (args: Partial<EksNodePoolArgs> = {}) =>
  efaArgs({ machineTypes: ["hpc7a.96xlarge"], os: "al2023", lustreEfaClient: true, ...args });

describe("the rules of nodes with EFA to Lustre", () => {
  const { rejects, accepts } = validating((args: Partial<EksNodePoolArgs>) => eksProblemsOf(anEksPoolArgs(args)));
  const bottlerocket =
    'lustreEfaClient: Bottlerocket runs no script that configures LNet; set os to "al2023", or remove lustreEfaClient';
  rejects({
    'lustreEfaClient: requires fabric "efa"; set it, or remove lustreEfaClient': { lustreEfaClient: true },
    [bottlerocket]: [lustre({ os: "bottlerocket" }), lustre({ os: undefined })],
    "machineTypes[0]: FSx for Lustre has no EFA to c5n.18xlarge, but to types of Nitro v4 or later without trn2…":
      lustre({ machineTypes: ["c5n.18xlarge"] }),
    "machineTypes[0]: FSx for Lustre has no EFA to trn2.48xlarge…": lustre({ machineTypes: ["trn2.48xlarge"] }),
  });
  accepts({
    "Amazon Linux": lustre(),
    "GPUs, whose default is Amazon Linux": lustre({ machineTypes: ["g6e.48xlarge"], os: undefined }),
    "a described type": lustre({ machineTypes: ["m99.large"], hardware: { ...m99, efaInterfaces: 1 } }),
    "another setting": efaArgs({ machineTypes: ["c5n.18xlarge"], lustreEfaClient: false }),
  });
});

describe("the setup of EFA to Lustre", () => {
  it("uses the interfaces that FSx uses", () => {
    assert.deepEqual(lustreDevices("p5.48xlarge", 32), [0, 4, 8, 12, 16, 20, 24, 28]);
    assert.deepEqual(lustreDevices("p5en.48xlarge", 16), [0, 2, 4, 6, 8, 10, 12, 14]);
    assert.deepEqual(lustreDevices("p6-b200.48xlarge", 8), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(lustreDevices("p6-b300.48xlarge", 16), [0, 15]);
    assert.deepEqual(lustreDevices("hpc7g.16xlarge", 1), [0]);
  });

  it("is a script of bash with another one in it", () => {
    const script = lustreScript([0, 1]);
    const inner = /<<'END'\n(#!\/bin\/bash\n[\s\S]*?)\nEND\n/.exec(script)?.[1] ?? assert.fail();
    for (const each of [script, inner]) {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: each, encoding: "utf8" });
      assert.equal(status, 0, stderr);
    }
  });

  it("is beside the user's own user data", () => {
    const text = renderUserData(anEksPool(lustre({ staticCpu: true })), { own: "#!/bin/sh\ntrue" }) ?? "";
    const types = [...text.matchAll(/^Content-Type: (\S+)$/gm)].map(([, type]) => type);
    assert.deepEqual(types, ["text/x-shellscript", "text/x-shellscript", "application/node.eks.aws"]);
  });
});

describe("the diagnostics of EFA to Lustre", () => {
  const { says, saysNothing } = diagnosing((args: Partial<EksNodePoolArgs>) => lustreWarnings(anEksPool(args)));
  says({
    ["warning: pool hpc: its 513 nodes use 1026 EFA interfaces for Lustre, and a file system of FSx accepts 1024; " +
    "use several file systems, or mount it on fewer nodes"]: lustre({ size: 513 }),
  });
  saysNothing({
    "as many as a file system accepts": lustre({ size: 512 }),
    "no Lustre": blockArgs({ machineTypes: ["p5.48xlarge"], size: 2000 }),
  });
});
