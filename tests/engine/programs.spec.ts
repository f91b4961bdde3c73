import assert from "node:assert/strict";
import { withCheckout } from "../support/checkout";
import { sharedCluster } from "../support/sandboxHooks";

describe("A plain pulumi up", () => {
  it("at the root of a checkout runs the LAMMPS example", () =>
    withCheckout(async ({ namespace, pulumi }) => {
      pulumi("up", "--yes", "--skip-preview");
      const pods = await sharedCluster().kube.podsOfJob(namespace, "lammps");
      assert.equal(pods.filter(({ ready }) => ready).length, 4);
      assert.match(pulumi("stack", "output", "logs"), /kubectl logs/);

      pulumi("config", "set", "size", "9");
      const refused =
        /MiniCluster lammps: invalid arguments, nothing was created\n +size: size 9 is above maxSize 8;[^\n]*\n\s*\n/;
      assert.throws(
        () => pulumi("preview"),
        (error: { stdout: string }) => refused.test(error.stdout),
      );
    }));
});
