import assert from "node:assert/strict";
import { parseBurstClusterArgs } from "../../../support/specs";
import { parseMiniClusterArgs } from "../../../support/specs";
import { aBurstClusterArgs, aContainer, aMiniClusterArgs } from "../../../support/fixtures";

/** Maps of a cluster, with their keys in this order. */
const maps = (keys: string[]) => {
  const each = <T>(value: (key: string) => T) => Object.fromEntries(keys.map((key) => [key, value(key)]));
  const container = aContainer({
    command: undefined,
    environment: each((key) => key),
    volumes: each((key) => ({ path: `/${key}`, emptyDir: true })),
    resources: { limits: each(() => "1") },
  });
  return { container, groups: each(() => ({ size: 1 })) };
};

describe("Maps in another order, as other languages pass them", () => {
  const [one, other] = [maps(["a", "b", "c"]), maps(["c", "a", "b"])];

  it("make the same MiniCluster, its groups in the order of their names", () => {
    const specs = [one, other].map(({ container, groups }) =>
      parseMiniClusterArgs("demo", aMiniClusterArgs({ interactive: true, groups, containers: [container] })),
    );
    assert.equal(JSON.stringify(specs[0]), JSON.stringify(specs[1]));
  });

  it("make the same BurstCluster", () => {
    const specs = [one, other].map(({ container }) =>
      parseBurstClusterArgs("cloud", aBurstClusterArgs({ containers: [container] })),
    );
    assert.equal(JSON.stringify(specs[0]), JSON.stringify(specs[1]));
  });
});
