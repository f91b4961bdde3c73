import * as assert from "node:assert/strict";
import type { MiniClusterVolumeArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { containerOf, podOf } from "../../../support/pod";

/** What says nothing counts for nothing: properties that are undefined never reach the API server. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const sources: [name: string, args: MiniClusterVolumeArgs, want: object][] = [
  ["a hostPath", { path: "/d", hostPath: "/x" }, { hostPath: { path: "/x" } }],
  ["a ConfigMap", { path: "/d", configMapName: "c" }, { configMap: { name: "c" } }],
  [
    "some keys of a ConfigMap",
    { path: "/d", configMapName: "c", items: { a: "b/c" } },
    { configMap: { name: "c", items: [{ key: "a", path: "b/c" }] } },
  ],
  ["a claim", { path: "/d", claimName: "c" }, { persistentVolumeClaim: { claimName: "c", readOnly: false } }],
  [
    "a read-only claim",
    { path: "/d", claimName: "c", readOnly: true },
    { persistentVolumeClaim: { claimName: "c", readOnly: true } },
  ],
  ["a Secret", { path: "/d", secretName: "s" }, { secret: { secretName: "s" } }],
  ["an emptyDir", { emptyDir: true }, { emptyDir: {} }],
  [
    "an emptyDir in memory",
    { emptyDir: true, emptyDirMedium: "Memory", emptyDirSizeLimit: "1Gi" },
    { emptyDir: { medium: "Memory", sizeLimit: "1Gi" } },
  ],
  [
    "a CSI volume",
    { path: "/d", csiDriver: "d", csiDriverAttributes: { a: "b" } },
    { csi: { driver: "d", volumeAttributes: { a: "b" }, readOnly: false } },
  ],
];

describe("the volumes", () => {
  for (const [name, args, want] of sources)
    it(`hold ${name}`, () => {
      const { volumes } = podOf({ containers: [aContainer({ volumes: { data: args } })] });
      assert.deepEqual(sent(volumes.at(-1)), { name: "data", ...want });
    });

  it("of the component are the view, the configuration and the certificate", () => {
    assert.deepEqual(podOf().volumes, [
      { name: "flux-view", emptyDir: {} },
      { name: "minicluster-config", configMap: { name: "demo-entrypoint", defaultMode: 0o555 } },
      { name: "minicluster-curve", secret: { secretName: "demo-curve", defaultMode: 0o444 } },
    ]);
  });

  const shared = (main: Partial<MiniClusterVolumeArgs>, side: Partial<MiniClusterVolumeArgs>) => {
    const data = { path: "/data", claimName: "c" };
    return podOf({
      containers: [
        aContainer({ runFlux: true, volumes: { data: { ...data, ...main } } }),
        aContainer({ name: "side", volumes: { data: { ...data, ...side } } }),
      ],
    });
  };

  it("are there once, however many containers mount them", () => {
    const pod = shared({}, { path: "/other" });
    assert.equal(pod.volumes.filter(({ name }) => name === "data").length, 1);
    const paths = ["demo", "side"].map((name) =>
      containerOf(pod, name).volumeMounts.find((mount) => mount.name === "data"),
    );
    assert.deepEqual(
      paths.map((mount) => mount?.mountPath),
      ["/data", "/other"],
    );
  });

  const readOnly: [main: boolean, side: boolean, want: boolean][] = [
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ];
  for (const [main, side, want] of readOnly)
    it(`are ${want ? "" : "not "}read-only as a whole where mounts are ${main} and ${side}`, () => {
      const pod = shared({ readOnly: main }, { readOnly: side });
      assert.deepEqual(pod.volumes.at(-1)?.persistentVolumeClaim, { claimName: "c", readOnly: want });
      const mounts = ["demo", "side"].map((name) =>
        containerOf(pod, name).volumeMounts.find((mount) => mount.name === "data"),
      );
      assert.deepEqual(
        mounts.map((mount) => mount?.readOnly),
        [main, side],
      );
    });
});

describe("the mounts", () => {
  const pod = podOf({ containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })] });
  const mountsOf = (name: string) => containerOf(pod, name).volumeMounts;

  it("show the certificate to the container that runs Flux only", () => {
    const names = [...pod.containers, ...(pod.initContainers ?? [])]
      .filter(({ volumeMounts }) => volumeMounts.some(({ name }) => name === "minicluster-curve"))
      .map(({ name }) => name);
    assert.deepEqual(names, ["demo"]);
    assert.equal(mountsOf("demo").at(-1)?.readOnly, true);
  });

  it("show the view under both of its names to all that use it", () => {
    const want = [
      { name: "flux-view", mountPath: "/mnt/flux" },
      { name: "minicluster-config", mountPath: "/etc/minicluster/config", readOnly: true },
      { name: "flux-view", mountPath: "/opt/software", subPath: "software" },
    ];
    assert.deepEqual(mountsOf("demo").slice(0, 3), want);
    assert.deepEqual(mountsOf("side"), want);
  });

  it("leave the software of the view's own image alone while it is copied", () =>
    assert.deepEqual(
      mountsOf("flux-view").map(({ mountPath }) => mountPath),
      ["/mnt/flux", "/etc/minicluster/config"],
    ));

  it("hide nothing of an image that brings Flux itself", () => {
    const { volumeMounts } = containerOf(podOf({ flux: { container: { disable: true } } }), "demo");
    assert.ok(!volumeMounts.some(({ mountPath }) => mountPath === "/opt/software"));
  });

  it("follow mountPath", () => {
    const { volumeMounts } = containerOf(podOf({ flux: { container: { mountPath: "/flux" } } }), "demo");
    assert.equal(volumeMounts[0]?.mountPath, "/flux");
  });
});

describe("a view that is mounted as an image", () => {
  const container = { image: "view:1", imageVolume: true };
  const pod = podOf({
    flux: { container },
    containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
  });
  const mount = { name: "flux-view-image", readOnly: true };

  it("is a volume, and no init container copies it", () => {
    assert.deepEqual(pod.volumes.slice(0, 2), [
      { name: "flux-view", emptyDir: {} },
      { name: "flux-view-image", image: { reference: "view:1", pullPolicy: "IfNotPresent" } },
    ]);
    assert.deepEqual(
      pod.initContainers?.map(({ name }) => name),
      ["side"],
    );
  });

  it("is read-only, at a place of its own and where the view expects its software", () => {
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

  it("is pulled as the user says", () => {
    const { volumes } = podOf({ flux: { container: { ...container, pullAlways: true } } });
    assert.deepEqual(volumes[1]?.image, { reference: "view:1", pullPolicy: "Always" });
  });

  it("is pulled with its secret", () =>
    assert.deepEqual(podOf({ flux: { container: { ...container, imagePullSecret: "pull" } } }).imagePullSecrets, [
      { name: "pull" },
    ]));
});

describe("the key of munge", () => {
  const pod = podOf({
    flux: { mungeSecret: "login" },
    containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
  });

  it("comes from its Secret, for nobody but its owner to read", () =>
    assert.deepEqual(
      pod.volumes.find(({ name }) => name === "minicluster-munge"),
      {
        name: "minicluster-munge",
        secret: { secretName: "login", defaultMode: 0o400, items: [{ key: "munge.key", path: "munge.key" }] },
      },
    ));

  it("stands where munge looks for it, in the container that runs Flux alone", () => {
    assert.deepEqual(containerOf(pod, "demo").volumeMounts.at(-1), {
      name: "minicluster-munge",
      mountPath: "/etc/munge/munge.key",
      subPath: "munge.key",
      readOnly: true,
    });
    const others = containerOf(pod, "side").volumeMounts.concat(containerOf(pod, "flux-view").volumeMounts);
    assert.ok(!others.some(({ name }) => name === "minicluster-munge"));
  });
});
