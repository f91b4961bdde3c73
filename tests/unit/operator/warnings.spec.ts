import * as assert from "node:assert/strict";
import { aManifest, problemsIn, readOne, warningsOf } from "../../support/manifestTexts";

/** Lines under `spec`, or a container in braces. */
const specOf = (given: string, container: string) =>
  given.startsWith("{") ? `containers: [{image: a, ${given.slice(1)}]` : `${given}\ncontainers: [${container}]`;

/** One test for each of these: what it is warned of, by a part of each warning, or nothing without warnings. */
function itWarns(cases: Record<string, string | string[]>, container = "{image: a}", version = "v1alpha2"): void {
  for (const [given, part] of Object.entries(cases))
    it(given, () => {
      const parts = [part].flat();
      const spec = given.startsWith("containers") ? given : specOf(given, container);
      const warnings = warningsOf(spec, version);
      assert.equal(warnings.length, parts.length, warnings.join("\n"));
      for (const [index, text] of parts.entries()) assert.ok(warnings[index]?.includes(text), warnings[index]);
    });
}

/** A broker, and a sidecar with these fields. */
const beside = (sidecar: string) => `containers: [{image: a, runFlux: true}, {image: b, name: c, ${sidecar}}]`;
const [mounts, mount] = ["d: {path: /d, claimName: c}", "e: {path: /e, claimName: c}"];

describe("a v1alpha2 cluster is warned of", () => {
  itWarns({
    "{command: \"echo 'a b' && ls > out # done\"}":
      "[0].command: bash interprets ' in word 2, ' in word 3, && in word 4, > in word 6, # in word 8; the operator",
    '{command: "~/run {a,b} X=1 --set x={1..3}; (a)"}':
      "command: bash interprets ~ in word 1, {a,b} in word 2, {1..3} ; in word 5, ( ) in word 6; the operator",
    '{command: "X=1 run --x=y *.in"}': "command: bash interprets X in word 1; the operator",
    '{command: "run \\\\\\n  --a\\n  --b\\n"}': "command: its lines are joined to one command, as in the operator",
    "{command: 'echo `date`'}": 'command: has "$" or backticks, which are expanded in each task;',
    "{command: curl demo-services.flux-service.default.svc.cluster.local}":
      "command: names hosts in flux-service.default.svc, but the hosts of this cluster are in demo.default.svc",
    "{commands: {pre: echo $FLUX_NUMBER_NODES}}": "commands.pre: uses $FLUX_NUMBER_NODES of the operator's script",
    "{commands: {post: echo $diagnostics}}": "which is not set here: set diagnostics of the",
    "{commands: {init: run_diagnostics}}": "commands.init: uses a function of v1alpha1 of the operator's script: write",
    "{commands: {script: 'echo $HOME'}}": 'script: has "$" or backticks, which are expanded when the script runs',
    "{command: b, commands: {servicePre: c}}": "commands.servicePre: has no effect in the container that",
    '{commands: {pre: "echo $command\\nbrokerOptions=\\"$brokerOptions -Sa=b\\"; export FLUX_OUTPUT_DIR=/x"}}': [
      "sets brokerOptions, which changes the operator's script, but has no effect here: set flux.brokerConfig",
      "sets FLUX_OUTPUT_DIR, which changes the operator's script, but has no effect here: write logs",
    ],
    "{commands: {brokerPre: \"echo x >> $cfg/broker.toml; run_interactive_cluster\", post: '# command=x'}}": [
      "commands.brokerPre: uses run_interactive_cluster of the operator's script: set interactive: true",
      "commands.brokerPre: uses $cfg of the operator's script: it is read-only here; set flux.brokerConfig",
    ],
    "{environment: {hosts: x}}": "environment.hosts: the operator's script overrides it; here it has an effect",
    "containers: [{command: a}]": "[0]: has no image; the operator's default, ghcr.io/rse-ops/accounting",
    "{volumes: {data: {path: /d}}}": "spec.containers[0].volumes.data: has a path and no source",
    "{volumes: {d: {path: /d, emptyDir: true}}}":
      "d.path: the operator mounts every emptyDir at /dev/shm; here it is mounted at /d",
    "{volumes: {d: {emptyDir: true, readOnly: true}}}": "d.readOnly: the operator mounts every emptyDir for writing",
    "{volumes: {d: {path: /d, hostPath: /h, claimName: c}}}": "d.claimName: has no effect with hostPath",
    "{volumes: {d: {path: /d, claimName: c, items: {a: b}}}}": "d.items: has no effect with claimName",
    "{volumes: {d: {emptyDir: true, emptyDirMedium: Memory}, e: {emptyDir: true, path: /e, emptyDirMedium: x}}}": [
      'd.emptyDirMedium: the operator supports only "memory", and uses the disk; here memory',
      "e.path: the operator mounts",
      'e.emptyDirMedium: the operator supports only "memory", and uses the disk, as this',
    ],
    "{pullAlways: true, imagePullPolicy: Never}": "imagePullPolicy: has no effect with pullAlways",
    "{command: b, batchRaw: true}": "batchRaw: has no effect without batch",
    "{batch: true}": "batch: has no effect without a command",
    "network: {disableAffinity: true}\npod: {nodeAffinity: {a: [b]}}": "spec.pod.nodeAffinity: the operator ignores it",
    "flux: {bursting: {leadBroker: {name: a, size: 2}}}": "spec.flux.bursting.leadBroker: has no address",
    "flux: {brokerConfig: 'host = \"demo-0.flux-service.default.svc\"'}":
      "spec.flux.brokerConfig: names hosts in flux-service.default.svc, but the hosts",
    "flux: {optionFlags: '-c $N', environment: {A: '$B'}}": [
      "optionFlags: here no shell expands it",
      "environment.A: here no shell expands it",
    ],
    "containers: [{image: a, environment: {FLUX_OUTPUT_DIR: /b}}]\nflux: {environment: {FLUX_OUTPUT_DIR: /a}}": [
      "containers[0].environment.FLUX_OUTPUT_DIR: the operator overrides it with logs of the container",
      "flux.environment.FLUX_OUTPUT_DIR: the operator overrides it with logs of the container",
    ],
  });

  describe("a sidecar", () =>
    itWarns({
      [`${beside("command: d, ports: [80]")}\nnetwork: {headlessName: c}`]:
        "[1].ports: the operator creates no Service c for them, because the Service of the brokers has that name",
      "containers: [{image: a, runFlux: true}, {image: b, name: 1db, command: c, ports: [80]}]":
        "the operator creates no Service 1db for them, because the name of a Service starts with a letter",
      [beside("commands: {script: d}")]:
        "script: the operator writes the script and never runs it; here it is the command",
      [beside("command: d, commands: {script: e}")]: "the operator writes it to /tmp/custom-entrypoint.sh, for the",
      [beside("command: d, launcher: true, commands: {pre: e}")]: [
        "launcher: is for the container that runs Flux",
        "commands.pre: has no effect in a sidecar",
      ],
      [beside("command: d, noWrapEntrypoint: true, commands: {post: e}")]: [
        "command: has no effect with noWrapEntrypoint",
        "commands.post: has no effect with noWrapEntrypoint",
      ],
      [beside("command: x, volumes: {e: {path: /f, claimName: c}}").replace(
        "true",
        `true, volumes: {${mounts}, ${mount}}`,
      )]: [
        "spec.containers[1]: the operator also mounts d in this container",
        "spec.containers[1].volumes.e: the operator mounts it at /e, as in the preceding container; here it is",
      ],
    }));

  describe("and not of", () =>
    itWarns({
      "pod: {restartPolicy: Never}": [],
      '{command: "run\\n"}': [],
      "{batch: true, command: \"run 'a'\\nrun > b\"}": [],
      "{commands: {init: branch=main, pre: git clone -b $branch}}": [],
      "{environment: {FLUX_USER: x}, commands: {pre: echo $FLUX_USER}}": [],
      '{commands: {pre: "for startServer in a; do $startServer; done"}}': [],
      "{commands: {script: 'echo \\$HOME costs 5$'}}": [],
      "{command: curl demo-0.demo.default.svc.cluster.local db-0.other.default.svc}": [],
    }));

  it("labels and annotations of the object, which is not created here, and unknown fields, on request", () => {
    const text = aManifest("containers: [{image: a}]\nsise: 2\npod: {labls: {a: b}}");
    const labelled = text.replace("spec:", "  labels: {a: b}\n  annotations: {c: d}\nspec:");
    const { args, warnings } = readOne(labelled, { unknownFields: "warn" });
    assert.deepEqual(
      warnings.map(({ path, line, column, message }) => `${line}:${column} ${path}: ${message.slice(0, 46)}`),
      [
        "9:3 spec.sise: unknown field; did you mean size?",
        "10:9 spec.pod.labls: unknown field; did you mean labels?",
        "5:3 metadata.labels: belong to the MiniCluster object, which is not",
        "6:3 metadata.annotations: belong to the MiniCluster object, which is not",
      ],
    );
    assert.deepEqual([args.size, args.pod, problemsIn(text).length], [undefined, {}, 2]);
  });
});

describe("a v1alpha1 cluster is warned of", () => {
  const container = "{image: a, command: b, commands: {runFluxAsRoot: true}}";
  const own = (fields: string) => `containers: [{image: a, ${fields}, commands: {runFluxAsRoot: true}}]`;
  itWarns(
    {
      "users: [{name: a, password: butter}]": "spec.users[0].password: has fewer than 8 characters; a new token is in",
      "users: [{name: a, password: underdac}]": [],
      "fluxRestful: {branch: main}": "spec.fluxRestful.branch: selects a version of the operator's server",
      "fluxRestful: {port: 5000, secretKey: notsosecrethoo}": [],
      "localDeploy: true": "spec.localDeploy: has no replacement",
      "flux: {installRoot: /opt/flux}":
        "installRoot: Flux is searched on the PATH; add /opt/flux/bin to the PATH of the",
      "flux: {curveCertSecret: s}": "spec.flux.curveCertSecret: is ignored",
      "flux: {mungeSecret: s}": "spec.flux.mungeSecret: here the key munge.key of the Secret",
      "size: 2": [],
      "{command: b}": 'spec.containers[0]: v1alpha1 creates a user "flux"',
      "{command: b, fluxUser: {uid: 1002}}": "spec.containers[0].fluxUser: here Flux runs as the image's user",
      "{commands: {runFluxAsRoot: true}}": [],
      [own("command: b, diagnostics: true")]: "[0].diagnostics: runs on the lead broker, in place of the command",
      [own('command: b, fluxOptionFlags: "-c $N"')]: "spec.containers[0].fluxOptionFlags: here no shell expands it",
    },
    container,
    "v1alpha1",
  );
});
