import * as assert from "node:assert/strict";
import { argsOf, aManifest, problemsIn, readOne, warningsOf } from "../../support/manifestTexts";

const user = "spec.containers[0]: v1alpha1 makes a user";
const read = (spec: string) => argsOf(spec, "v1alpha1");
/** The warnings of a cluster but for the one that every v1alpha1 cluster has. */
const warned = (spec: string) => warningsOf(spec, "v1alpha1").filter((warning) => !warning.startsWith(user));

/** What every v1alpha1 manifest gives, whatever it says. */
const always = {
  name: "demo",
  backoffLimit: 100,
  network: { headlessName: "flux-service", affinity: "preferred" },
  logging: { strict: true },
  flux: { container: { disable: true } },
};

describe("a v1alpha1 cluster", () => {
  it("has Flux in its image, strict scripts, and the service name of that time", () =>
    assert.deepEqual(read("containers: [{image: a, command: b}]"), {
      ...always,
      containers: [{ image: "a", command: "b" }],
    }));

  const containers: [rule: string, container: string, want: object][] = [
    ["runs preCommand before pre", "preCommand: 'a', commands: {pre: b}", { commands: { pre: "a\nb" } }],
    ["runs preCommand alone", "preCommand: a", { commands: { pre: "a" } }],
    [
      "describes its cores to Flux",
      "cores: 4, commands: {brokerPre: date}",
      {
        commands: {
          brokerPre: "flux R encode --hosts='demo-[0-1]' --cores=0-3 >/mnt/flux/config/etc/flux/system/R\ndate",
        },
      },
    ],
    ["describes no single core", "cores: 1", {}],
    [
      "has capabilities",
      "securityContext: {privileged: true, addCapabilities: [SYS_ADMIN]}",
      { securityContext: { privileged: true, capabilities: { add: ["SYS_ADMIN"] } } },
    ],
    [
      "mounts what exists",
      "existingVolumes: {data: {path: /d, claimName: c}, conf: {path: /c, configMapName: m, items: {a: b}}}",
      {
        volumes: { data: { path: "/d", claimName: "c" }, conf: { path: "/c", configMapName: "m", items: { a: "b" } } },
      },
    ],
    [
      "needs no word to run as root",
      "commands: {runFluxAsRoot: true, prefix: fusion}",
      { commands: { prefix: "fusion" } },
    ],
  ];
  for (const [rule, container, want] of containers)
    it(rule, () =>
      assert.deepEqual(read(`size: 2\ncontainers: [{image: a, command: b, ${container}}]`).containers, [
        { image: "a", command: "b", ...want },
      ]),
    );

  it("shows diagnostics in place of its command", () => {
    const spec = "interactive: true\ncontainers: [{image: a, command: b, diagnostics: true}]";
    const { containers, interactive } = read(spec);
    assert.deepEqual([containers[0]?.launcher, containers[0]?.command, interactive], [true, undefined, false]);
    assert.match(
      containers[0]?.commands?.script ?? "",
      /^flux overlay status\nflux lsattr -v\nflux dmesg\nsleep infinity$/m,
    );
    assert.deepEqual(warned(spec), [
      "spec.containers[0].diagnostics: runs on the lead broker, in place of the command",
    ]);
  });

  it("takes options from the places that they had", () => {
    const { flux, pod, logging } = read(
      "test: true\npodLabels: {a: b}\ncontainers: [{image: a, command: b, fluxOptionFlags: -ompi=pmix, fluxLogLevel: 7}]",
    );
    assert.deepEqual(flux, { container: { disable: true }, optionFlags: "-ompi=pmix", logLevel: 7 });
    assert.deepEqual([pod, logging], [{ labels: { a: "b" } }, { quiet: true, strict: true }]);
  });

  const cases: [what: string, spec: string, want: RegExp[]][] = [
    ["users", "users: [{name: a, password: b}]", [/^spec\.users: the RESTful server that had users is gone/]],
    ["the RESTful server", "fluxRestful: {port: 5000}", [/^spec\.fluxRestful: the RESTful server is gone/]],
    ["localDeploy", "localDeploy: true", [/^spec\.localDeploy: nothing takes its place/]],
    ["another root of Flux", "flux: {installRoot: /opt/flux}", [/^spec\.flux\.installRoot: .*\/opt\/flux\/bin/]],
    ["a Secret with a certificate", "flux: {curveCertSecret: s}", [/^spec\.flux\.curveCertSecret: left out/]],
    ["another key of munge", "flux: {mungeSecret: s}", [/^spec\.flux\.mungeSecret: here the Secret's key munge\.key/]],
  ];
  for (const [what, spec, want] of cases)
    it(`is warned of ${what}`, () => {
      const warnings = warned(`${spec}\ncontainers: [{image: a, command: b}]`);
      assert.equal(warnings.length, want.length, warnings.join("\n"));
      want.forEach((pattern, index) => assert.match(warnings[index] ?? "", pattern));
    });

  it("is warned of the user that runs Flux, where that was not root", () => {
    const containers = (more: string) => warningsOf(`containers: [{image: a, command: b${more}}]`, "v1alpha1");
    assert.match(containers("")[0] ?? "", /^spec\.containers\[0\]: v1alpha1 makes a user "flux"/);
    assert.match(
      containers(", fluxUser: {uid: 1002}")[0] ?? "",
      /^spec\.containers\[0\]\.fluxUser: here Flux runs as the image's user/,
    );
    assert.deepEqual(containers(", commands: {runFluxAsRoot: true}"), []);
  });

  it("is warned of the server that is not started without a command", () =>
    assert.match(
      warned("containers: [{image: a}]")[0] ?? "",
      /^spec\.containers\[0\]: without a command v1alpha1 starts the RESTful server/,
    ));

  it("has problems told at the places that it has itself", () =>
    assert.deepEqual(
      problemsIn(
        aManifest(
          `
          podLabels: {a: "b c"}
          containers:
            - image: a
              command: b
              fluxLogLevel: 9
              existingVolumes:
                data: {path: data, claimName: c}
              volumes:
                none: {path: /d}
              securityContext: {addCapabilities: [CAP_X]}`,
          "v1alpha1",
        ),
      ),
      [
        'manifest:6:18: spec.podLabels.a: "b c" must be a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends',
        "manifest:10:21: spec.containers[0].fluxLogLevel: 9 must be an integer from 0 to 7",
        'manifest:12:22: spec.containers[0].existingVolumes.data.path: "data" must be an absolute path such as "/data", without a colon',
        "manifest:14:9: spec.containers[0].volumes.none: is none of spec.volumes; add it there, or write it as existingVolumes",
        "manifest:15:43: spec.containers[0].securityContext.addCapabilities[0]: capabilities are named without CAP_, as in SYS_ADMIN",
      ],
    ));
});

describe("the storage of a v1alpha1 cluster", () => {
  const withVolume = (volume: string) =>
    readOne(
      aManifest(
        `volumes: {data: ${volume}}\ncontainers: [{image: a, command: b, volumes: {data: {path: /d, readOnly: true}}}]`,
        "v1alpha1",
      ),
    );
  const storageOf = (volume: string) => withVolume(volume).volumes[0];

  it("is a directory of the node and 5Gi, and its pods mount the claim", () => {
    const { args, volumes } = withVolume("{path: /tmp/data}");
    const common = { accessModes: ["ReadWriteMany"], storageClassName: "hostpath" };
    assert.deepEqual(volumes, [
      {
        name: "data",
        retain: false,
        persistentVolume: {
          metadata: { name: "default-demo-data" },
          spec: {
            ...common,
            capacity: { storage: "5Gi" },
            persistentVolumeReclaimPolicy: "Delete",
            hostPath: { path: "/tmp/data" },
          },
        },
        claim: {
          metadata: { name: "demo-data", namespace: "default" },
          spec: { ...common, volumeName: "default-demo-data", resources: { requests: { storage: "5Gi" } } },
        },
      },
    ]);
    assert.deepEqual(args.containers[0]?.volumes, { data: { path: "/d", readOnly: true, claimName: "demo-data" } });
  });

  it("is a volume of a CSI driver with all that it needs", () => {
    const storage = storageOf(
      "{storageClass: csi-gcs, driver: gcs.csi.ofek.dev, volumeHandle: bucket, capacity: 25Gi, secret: s, secretNamespace: ns, attributes: {mounter: geesefs}, labels: {a: b}, annotations: {c: d}, claimAnnotations: {e: f}}",
    );
    const secret = { name: "s", namespace: "ns" };
    assert.deepEqual(storage?.persistentVolume.metadata, {
      name: "default-demo-data",
      labels: { a: "b" },
      annotations: { c: "d" },
    });
    assert.deepEqual((storage?.persistentVolume.spec as { csi: unknown }).csi, {
      ...{ driver: "gcs.csi.ofek.dev", volumeHandle: "bucket", volumeAttributes: { mounter: "geesefs" } },
      ...{ nodePublishSecretRef: secret, controllerPublishSecretRef: secret, nodeStageSecretRef: secret },
    });
    assert.deepEqual(storage?.claim.metadata, { name: "demo-data", namespace: "default", annotations: { e: "f" } });
  });

  it("has the handle of its class where it has none, and that of the older name", () => {
    const handle = (more: string) =>
      (storageOf(`{storageClass: fast, driver: x${more}}`)?.persistentVolume.spec as { csi: { volumeHandle: string } })
        .csi.volumeHandle;
    assert.deepEqual([handle(""), handle(", volumeName: bucket/path")], ["fast", "bucket/path"]);
  });

  it("outlives the stack where it is not to be deleted", () => {
    const storage = storageOf("{path: /d, delete: false}");
    assert.equal(storage?.retain, true);
    assert.equal(
      (storage?.persistentVolume.spec as { persistentVolumeReclaimPolicy: string }).persistentVolumeReclaimPolicy,
      "Retain",
    );
  });

  const wrong: [what: string, volume: string, want: string][] = [
    ["a directory", "data: {}", "manifest:6:13: spec.volumes.data.path: is missing; give the directory of the node"],
    [
      "a driver",
      "data: {storageClass: x}",
      'manifest:6:13: spec.volumes.data.driver: is missing; give the CSI driver behind the storage class "x"',
    ],
    [
      "a capacity that is a quantity",
      "data: {path: /d, capacity: much}",
      'manifest:6:40: spec.volumes.data.capacity: "much" must be a Kubernetes quantity such as "4", "500m" or "8Gi"',
    ],
    [
      "a name that Kubernetes takes",
      "Data: {path: /d}",
      'manifest:6:13: spec.volumes.Data: "Data" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends',
    ],
  ];
  for (const [what, volume, want] of wrong)
    it(`needs ${what}`, () =>
      assert.deepEqual(problemsIn(aManifest(`volumes: {${volume}}\ncontainers: [{image: a}]`, "v1alpha1")), [want]));
});
