import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { aManifest, argsOf, problemsIn, readOne } from "../../support/manifestTexts";
import { valueOf } from "../../support/mocks";
import { expecting } from "../../support/problems";

/** What every v1alpha1 manifest gives. */
const always = {
  name: "demo",
  backoffLimit: 100,
  tasks: 1,
  deadlineSeconds: 31_500_000,
  retryCommand: false,
  network: { headlessName: "flux-service", affinity: "preferred" },
  logging: { strict: true },
  flux: { container: { disable: true } },
};

describe("a v1alpha1 cluster", () => {
  it("has Flux in its image, strict scripts, and the service name of that time", () =>
    assert.deepEqual(argsOf("containers: [{image: a, command: b}]", "v1alpha1"), {
      ...always,
      containers: [{ image: "a", command: "b" }],
    }));

  it("takes every field that has stayed where it was as the later version does", () => {
    const common = `
      {size: 3, maxSize: 8, tasks: 6, deadlineSeconds: 60, interactive: true, jobLabels: {team: hpc},
      shareProcessNamespace: true,
      cleanup: true, archive: {path: /state/a.tgz}, logging: {quiet: true, debug: true, timed: true, zeromq: true},
      pod: {annotations: {a: b}, labels: {c: d}, serviceAccountName: robot, nodeSelector: {e: f}, resources: {cpu: 2}},
      flux: {submitCommand: run, wrap: "strace -f", connectTimeout: 10s, optionFlags: -ompi=pmix,
        minimalService: true, logLevel: 7,
        scheduler: {queuePolicy: easy}, mungeSecret: munge},
      services: [{name: db, image: redis, ports: [6379]}],
      containers: [{name: main, image: a, workingDir: /w, pullAlways: true, imagePullSecret: registry, launcher: true,
        command: nextflow run, runFlux: true, ports: [80], environment: {A: b}, lifeCycle: {postStartExec: date},
        resources: {limits: {cpu: 1}, requests: {memory: 1Gi}},
        commands: {prefix: fusion, init: a, pre: b, post: c, workerPre: d, brokerPre: e}}]}`;
    const earlier = argsOf(common, "v1alpha1");
    const later = argsOf(common, "v1alpha2");
    const { network, logging, flux } = always;
    const differing = { network, logging: { ...later.logging, ...logging }, flux: { ...later.flux, ...flux } };
    assert.deepEqual(earlier, { ...later, ...differing });
  });

  const consoleOf = (fields: string) => argsOf(fields, "v1alpha1").console;
  it("has the console in the place of the RESTful server: without a command, or with a field for it", () => {
    const admin = { admins: ["fluxuser"], users: [], tokens: {}, port: 5000 };
    assert.deepEqual(consoleOf("containers: [{image: a}]"), admin);
    assert.deepEqual(consoleOf("{containers: [{image: a, command: b}], fluxRestful: {}}"), admin);
    for (const none of ["command: b}]", "}], interactive: true", "diagnostics: true}]", "}], diagnostics: true"])
      assert.equal(consoleOf(`{containers: [{image: a, ${none}}`), undefined, none);
    assert.equal(argsOf("containers: [{image: a}]").console, undefined);
  });

  it("keeps the users, the port and the key of the RESTful server, as secrets where they are", async () => {
    const server = "{port: 5001, secretKey: notsosecrethoo, username: root, token: secret-of-root}";
    const users = "[{name: ann}, {name: bob, password: butter}, {name: eve, password: underdac}]";
    const args = argsOf(`{containers: [{image: a}], fluxRestful: ${server}, users: ${users}}`, "v1alpha1");
    const { tokens = {}, secretKey, ...rest } = args.console ?? {};
    assert.deepEqual(rest, { admins: ["root"], users: ["ann", "bob", "eve"], port: 5001 });
    assert.deepEqual(Object.keys(tokens), ["root", "eve"]);
    for (const [secret, want] of [
      [tokens["root"], "secret-of-root"],
      [tokens["eve"], "underdac"],
      [secretKey, "notsosecrethoo"],
    ] as [pulumi.Output<string>, string][])
      assert.deepEqual([await pulumi.isSecret(secret), await valueOf(secret)], [true, want]);
  });

  it("reports problems of the server at its place in the manifest", () => {
    const server = "{port: 80, secretKey: hoo, token: butter}";
    const text = `{containers: [{image: a}], fluxRestful: ${server}, users: [{name: ann}, {name: ann}]}`;
    const paths = problemsIn(aManifest(text, "v1alpha1")).map((problem) => / (spec\S+): /.exec(problem)?.[1]);
    assert.deepEqual(paths, ["spec.fluxRestful.port", "spec.fluxRestful.secretKey", "spec.users[1].name"]);
  });

  const encode = "flux R encode --hosts='demo-[0-1]' --cores=0-3 >/mnt/flux/config/etc/flux/system/R";
  const table: Record<string, object> = {
    "{preCommand: a, commands: {pre: b}}": { commands: { pre: "a\nb" } },
    "{preCommand: a}": { commands: { pre: "a" } },
    "{cores: 4, commands: {brokerPre: date}}": { commands: { brokerPre: `${encode}\ndate` } },
    "{cores: 1}": {},
    "{securityContext: {privileged: true, addCapabilities: [SYS_ADMIN]}}": {
      securityContext: { privileged: true, capabilities: { add: ["SYS_ADMIN"] } },
    },
    "{existingVolumes: {data: {path: /d, claimName: c}, conf: {path: /c, configMapName: m, items: {a: b}}}}": {
      volumes: { data: { path: "/d", claimName: "c" }, conf: { path: "/c", configMapName: "m", items: { a: "b" } } },
    },
    "{postStartExec: date, lifeCycle: {preStopExec: sync}}": {
      lifeCycle: { postStartExec: "date", preStopExec: "sync" },
    },
    "{commands: {runFluxAsRoot: true, prefix: fusion}}": { commands: { prefix: "fusion" } },
  };
  for (const [given, want] of Object.entries(table))
    it(`has a container as it was then: ${given}`, () => {
      // The hosts are those of maxSize.
      const spec = `size: 1\nmaxSize: 2\ncontainers: [${given.replace("{", "{image: a, command: b, ")}]`;
      assert.deepEqual(argsOf(spec, "v1alpha1").containers, [{ image: "a", command: "b", ...want }]);
    });

  it("has one host unless it says more", () => {
    const { containers } = argsOf("containers: [{image: a, command: b, cores: 4}]", "v1alpha1");
    assert.match(containers?.[0]?.commands?.brokerPre ?? "", /--hosts='demo-\[?0\]?' --cores=0-3/);
  });

  it("shows diagnostics in place of its command, also where the first CRDs had them", () => {
    const script = "flux overlay status\nflux lsattr -v\nflux dmesg\nsleep infinity\n";
    for (const spec of [
      "interactive: true\ncontainers: [{image: a, command: b, diagnostics: true}]",
      "interactive: true\ndiagnostics: true\ncontainers: [{image: a, command: b}]",
      // The only container runs Flux, regardless of its `runFlux`.
      "interactive: true\ndiagnostics: true\ncontainers: [{image: a, command: b, runFlux: false}]",
    ]) {
      const { containers, interactive } = argsOf(spec, "v1alpha1");
      assert.deepEqual(containers, [{ image: "a", launcher: true, commands: { script } }]);
      assert.equal(interactive, false);
    }
  });

  it("takes options from the places that they had", () => {
    const container = "{image: a, command: b, fluxOptionFlags: -ompi=pmix, fluxLogLevel: 7}";
    const spec = `test: true\npodLabels: {a: b, c: d}\npod: {labels: {c: e}}\ncontainers: [${container}]`;
    const { flux, pod, logging } = argsOf(spec, "v1alpha1");
    assert.deepEqual(flux, { container: { disable: true }, optionFlags: "-ompi=pmix", logLevel: 7 });
    assert.deepEqual([pod, logging], [{ labels: { a: "b", c: "e" } }, { quiet: true, strict: true }]);
  });

  it("has problems at its own places", () => {
    const spec = `
      podLabels: {a: "b c"}
      containers:
        - image: a
          command: b
          preCommand: "\\0"
          fluxLogLevel: 9
          existingVolumes: {data: {path: data, claimName: c}}
          volumes: {none: {path: /d}}
          securityContext: {addCapabilities: [CAP_X]}`;
    const begins = [
      'manifest:6:18: spec.podLabels.a: "b c" must be a label value',
      "manifest:10:19: spec.containers[0].preCommand: must not hold a NUL character",
      "manifest:11:21: spec.containers[0].fluxLogLevel: 9 must be an integer from 0 to 7",
      'manifest:12:38: spec.containers[0].existingVolumes.data.path: "data" must be an absolute path',
      "manifest:13:17: spec.containers[0].volumes.none: is not in spec.volumes; add it there, or list it in",
      "manifest:14:43: spec.containers[0].securityContext.addCapabilities[0]: must be named without CAP_",
    ];
    const problems = problemsIn(aManifest(spec, "v1alpha1"));
    assert.deepEqual(
      problems,
      begins.map((begin, place) => begin + (problems[place]?.slice(begin.length) ?? "")),
    );
  });
});

describe("the storage of a v1alpha1 cluster", () => {
  const withVolume = (volume: string) => {
    const containers = "containers: [{image: a, command: b, volumes: {data: {path: /d, readOnly: true}}}]";
    return readOne(aManifest(`volumes: {data: ${volume}}\n${containers}`, "v1alpha1"));
  };

  it("is a directory of the node and 5Gi, and its pods mount the claim", () => {
    const { args, volumes } = withVolume("{path: /tmp/data}");
    const common = "accessModes: [ReadWriteMany], storageClassName: hostpath";
    const want = `
- name: data
  retain: false
  persistentVolume:
    metadata: {name: default-demo-data}
    spec: {${common}, capacity: {storage: 5Gi}, persistentVolumeReclaimPolicy: Delete, hostPath: {path: /tmp/data}}
  claim:
    metadata: {name: demo-data, namespace: default}
    spec: {${common}, volumeName: default-demo-data, resources: {requests: {storage: 5Gi}}}`;
    assert.deepEqual(volumes, parse(want));
    assert.deepEqual(args.containers?.[0]?.volumes, { data: { path: "/d", readOnly: true, claimName: "demo-data" } });
  });

  it("is a volume of a CSI driver with all that it needs, and outlives the stack where it is not to be deleted", () => {
    const { volumes } = withVolume(
      `{storageClass: gcs, driver: gcs.csi.ofek.dev, volumeHandle: bucket, attributes: {mounter: geesefs},
        secret: s, secretNamespace: ns,
        labels: {a: b}, annotations: {c: d}, claimAnnotations: {e: f}, capacity: 25, delete: false}`,
    );
    const common = "accessModes: [ReadWriteMany], storageClassName: gcs";
    const secretRefs = ["nodePublish", "controllerPublish", "nodeStage"]
      .map((use) => `${use}SecretRef: {name: s, namespace: ns}`)
      .join();
    const csi = `driver: gcs.csi.ofek.dev, volumeHandle: bucket, volumeAttributes: {mounter: geesefs}, ${secretRefs}`;
    const want = `
- name: data
  retain: true
  persistentVolume:
    metadata: {name: default-demo-data, labels: {a: b}, annotations: {c: d}}
    spec: {${common}, capacity: {storage: "25"}, persistentVolumeReclaimPolicy: Retain, csi: {${csi}}}
  claim:
    metadata: {name: demo-data, namespace: default, annotations: {e: f}}
    spec: {${common}, volumeName: default-demo-data, resources: {requests: {storage: "25"}}}`;
    assert.deepEqual(volumes, parse(want));
  });

  it("has the handle of its class where it has none, and that of the older name", () => {
    const handle = (more: string) =>
      /"volumeHandle":"(.*?)"/.exec(JSON.stringify(withVolume(`{storageClass: fast, driver: x${more}}`).volumes))?.[1];
    assert.deepEqual([handle(""), handle(", volumeName: bucket/path")], ["fast", "bucket/path"]);
  });

  it("has the class of the first CRDs: a directory, or the CSI driver of that time, with annotations of claims", () => {
    const later =
      "storageClass: csi-gcs, driver: gcs.csi.ofek.dev, volumeHandle: csi-gcs, secret: s, claimAnnotations: {a: b}";
    const { volumes } = withVolume("{path: /tmp, class: csi-gcs, secret: s, annotations: {a: b}}");
    assert.deepEqual(volumes, withVolume(`{${later}}`).volumes);
    assert.deepEqual(withVolume("{path: /tmp, class: hostpath}").volumes, withVolume("{path: /tmp}").volumes);
  });

  const { one } = expecting((volumes: string) =>
    problemsIn(aManifest(`volumes: {${volumes}}\ncontainers: [{image: a}]`, "v1alpha1")),
  );
  one({
    "manifest:6:13: spec.volumes.data.path: is missing; set it to a directory of the node": "data: {}",
    'manifest:6:13: spec.volumes.data.driver: is missing; set it to the CSI driver of the storage class "x"':
      "data: {storageClass: x}",
    ['manifest:6:40: spec.volumes.data.capacity: "much" must be a Kubernetes quantity such as "4", "500m" or ' +
    '"8Gi", never "8GB"']: "data: {path: /d, capacity: much}",
    ['manifest:6:13: spec.volumes.Data: "Data" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, ' +
    "with a letter or digit at both ends"]: "Data: {path: /d}",
  });
});
