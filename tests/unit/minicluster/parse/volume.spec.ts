import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterVolumeArgs } from "../../../../provider";
import { isWithin, settleVolume, volume } from "../../../../provider/minicluster/parse/volume";
import { aContainer } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const at = "containers[0].volumes.data";
const data = (args: MiniClusterVolumeArgs) => ({ containers: [aContainer({ volumes: { data: args } })] });

describe("a volume", () => {
  itRefuses([
    {
      rule: "no source",
      args: data({ path: "/data" }),
      path: `${at}.emptyDir`,
      says: "a volume needs a source: one of hostPath, configMapName, claimName, secretName, emptyDir, csiDriver",
    },
    {
      rule: "two sources",
      args: data({ path: "/data", hostPath: "/x", claimName: "c" }),
      path: `${at}.claimName`,
      says: "a volume has one source; keep hostPath or claimName",
    },
    {
      rule: "items without a ConfigMap",
      args: data({ path: "/data", secretName: "s", items: { a: "b" } }),
      path: `${at}.items`,
      says: "requires configMapName; add it or remove this",
    },
    {
      rule: "a medium without an emptyDir",
      args: data({ path: "/data", claimName: "c", emptyDirMedium: "Memory" }),
      path: `${at}.emptyDirMedium`,
      says: "requires emptyDir; add it or remove this",
    },
    {
      rule: "a size limit without an emptyDir",
      args: data({ path: "/data", claimName: "c", emptyDirSizeLimit: "1Gi" }),
      path: `${at}.emptyDirSizeLimit`,
      says: "requires emptyDir; add it or remove this",
    },
    {
      rule: "attributes without a CSI driver",
      args: data({ path: "/data", claimName: "c", csiDriverAttributes: { a: "b" } }),
      path: `${at}.csiDriverAttributes`,
      says: "requires csiDriver; add it or remove this",
    },
    ...(["hostPath", "configMapName", "claimName", "secretName", "csiDriver"] as const).map((source) => ({
      rule: `a ${source} without a path`,
      args: data({ [source]: source === "hostPath" ? "/x" : "x" }),
      path: `${at}.path`,
      says: "a volume needs a path, the directory in the container",
    })),
    ...["/etc/minicluster", "/etc/minicluster/config", "/opt/software", "/opt/software/"].map((path) => ({
      rule: `the path ${path}`,
      args: data({ path, emptyDir: true }),
      path: `${at}.path`,
      says: `${path} is used by the component itself; choose another directory`,
    })),
    {
      rule: "a relative path",
      args: data({ path: "data", emptyDir: true }),
      path: `${at}.path`,
      says: '"data" must be an absolute path such as "/data", without a colon',
    },
    {
      rule: "a size limit that is no quantity",
      args: data({ emptyDir: true, emptyDirSizeLimit: "1GB" }),
      path: `${at}.emptyDirSizeLimit`,
      says: '"1GB" must be a Kubernetes quantity such as "4", "500m" or "8Gi"',
    },
  ]);

  itAccepts({
    "an emptyDir without a path": data({ emptyDir: true, emptyDirMedium: "Memory" }),
    "properties that say nothing": data({ path: "/data", claimName: "c", items: undefined, emptyDirMedium: undefined }),
    "sources that are only known later": data({ path: "/data", claimName: pulumi.output("c") }),
  });

  it("is writable, and an emptyDir stands where MPI looks for shared memory", () => {
    assert.deepEqual(settleVolume(volume.parse({ emptyDir: true })), {
      emptyDir: true,
      readOnly: false,
      source: "emptyDir",
      path: "/dev/shm",
    });
  });

  const nested: [path: unknown, directory: string, want: boolean][] = [
    ["/a/b", "/a", true],
    ["/a", "/a", true],
    ["/a/", "/a", true],
    ["/a/b", "/a/", true],
    ["/ab", "/a", false],
    ["/", "/a", false],
    [7, "/a", false],
  ];
  for (const [path, directory, want] of nested)
    it(`${String(path)} is ${want ? "" : "not "}within ${directory}`, () =>
      assert.equal(isWithin(path, directory), want));
});
