import * as assert from "node:assert/strict";
import type { MiniClusterVolumeArgs } from "../../../../provider";
import { casesOf, valueIn, wanted } from "../../../support/cases";
import { aContainer } from "../../../support/fixtures";
import { containerOf, podOf } from "../../../support/pod";

/** What says nothing counts for nothing: properties that are undefined never reach the API server. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const sources = casesOf(`
{path: /d, hostPath: /x}
  hostPath: {path: /x}
{path: /d, configMapName: c, items: {a: b/c}}
  configMap: {name: c, items: [{key: a, path: b/c}]}
{path: /d, claimName: c, readOnly: true}
  persistentVolumeClaim: {claimName: c, readOnly: true}
{path: /d, secretName: s}
  secret: {secretName: s}
{emptyDir: true}
  emptyDir: {}
{emptyDir: true, emptyDirMedium: Memory, emptyDirSizeLimit: 1Gi}
  emptyDir: {medium: Memory, sizeLimit: 1Gi}
{path: /d, csiDriver: d, csiDriverAttributes: {a: b}}
  csi: {driver: d, volumeAttributes: {a: b}, readOnly: false}
`);

describe("the volumes", () => {
  for (const each of sources)
    it(`hold ${each.given}`, () => {
      const data = valueIn(each.given) as MiniClusterVolumeArgs;
      const { volumes } = podOf({ containers: [aContainer({ volumes: { data } })] });
      assert.deepEqual(sent(volumes.at(-1)), { name: "data", ...(wanted(each) as object) });
    });

  const aVolume = (readOnly: boolean) => ({ data: { path: "/data", claimName: "c", readOnly } });
  for (const [main, side] of [
    [true, true],
    [true, false],
    [false, true],
  ] as const)
    // prettier-ignore
    it(`are ${main && side ? "" : "not "}read-only as a whole where mounts are ${main} and ${side}`, () => {
      const containers = [
        aContainer({ runFlux: true, volumes: aVolume(main) }),
        aContainer({ name: "side", volumes: aVolume(side) }),
      ];
      const pod = podOf({ containers });
      assert.deepEqual(pod.volumes.at(-1)?.persistentVolumeClaim, { claimName: "c", readOnly: main && side });
      const mounts = ["demo", "side"].map((name) => containerOf(pod, name).volumeMounts.at(-1));
      const ofData = (mount?: { name: string; readOnly?: boolean }) => mount?.name === "data" && mount.readOnly;
      assert.equal(ofData(mounts[1]), side);
      assert.ok(containerOf(pod, "demo").volumeMounts.some((mount) => mount.name === "data" && mount.readOnly === main));
    });

  it("show the certificate and the key of munge to the container that runs Flux alone, and nobody but its owner reads that", () => {
    const pod = podOf({
      flux: { mungeSecret: "login" },
      containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
    });
    for (const secret of ["minicluster-curve", "minicluster-munge"]) {
      const all = [...pod.containers, ...(pod.initContainers ?? [])];
      const seeing = all.filter(({ volumeMounts }) => volumeMounts.some(({ name }) => name === secret));
      assert.deepEqual(seeing, pod.containers, secret);
    }
    assert.deepEqual(pod.volumes.find(({ name }) => name === "minicluster-munge")?.["secret"], {
      ...{ secretName: "login", defaultMode: 0o400, items: [{ key: "munge.key", path: "munge.key" }] },
    });
  });
});

describe("a view that is mounted as an image", () => {
  it("is pulled as the user says, and read-only, at a place of its own and where the view expects its software", () => {
    const pod = podOf({
      flux: { container: { image: "view:1", imageVolume: true, pullAlways: true } },
      containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
    });
    assert.deepEqual(pod.volumes[1]?.image, { reference: "view:1", pullPolicy: "Always" });
    const mount = { name: "flux-view-image", readOnly: true };
    for (const name of ["demo", "side"])
      assert.deepEqual(
        containerOf(pod, name).volumeMounts.filter((each) => each.name === mount.name),
        [
          { ...mount, mountPath: "/etc/minicluster/view" },
          { ...mount, mountPath: "/opt/software", subPath: "opt/software" },
        ],
        name,
      );
  });
});
