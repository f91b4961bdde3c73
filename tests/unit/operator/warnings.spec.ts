import * as assert from "node:assert/strict";
import { aManifest, problemsIn, readOne, warningsOf } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";

/**
 * Tests of manifests by what they are warned of, by a part of each warning. One without containers has those given
 * here.
 */
function warned(container: string, version: string) {
  const all = (spec: string, parts: string[]) =>
    it(parts.join(" | ") || spec, () => {
      const warnings = warningsOf(spec.includes("containers:") ? spec : `${container}\n${spec}`, version);
      assert.equal(warnings.length, parts.length, warnings.join("\n"));
      parts.forEach((part, index) =>
        assert.ok(warnings[index]?.includes(part), `${warnings[index]}\n  is not\n${part}`),
      );
    });
  return {
    one: (cases: Record<string, string>) => Object.entries(cases).forEach(([part, spec]) => all(spec, [part])),
    all,
    none: (specs: string[]) => specs.forEach((spec) => all(spec, [])),
  };
}

const later = warned(container, "v1alpha2");
const earlier = warned("containers: [{image: a, command: b, commands: {runFluxAsRoot: true}}]", "v1alpha1");

describe("a v1alpha2 cluster is warned of", () => {
  later.one({
    "spec.backoffLimit: a command that fails is started again, until 3 pods have failed": "backoffLimit: 3",
    "spec.pod.restartPolicy: a command that fails is started again in its pod, up to 100 times":
      "pod: {restartPolicy: OnFailure}",
    ["spec.containers[0].command: bash interprets ' in word 2, ' in word 3, && in word 4, > in word 6, # in " +
    "word 8; the operator passes"]: "containers: [{image: a, command: \"echo 'a b' && ls > out # done\"}]",
    "command: bash interprets ~ in word 1, {a,b} in word 2, {1..3} in word 5, ( ) ; in word 6; the operator":
      'containers: [{image: a, command: "~/run {a,b} X=1 --set x={1..3} (a);"}]',
    "command: bash interprets X in word 1; the operator": 'containers: [{image: a, command: "X=1 run --x=y *.in"}]',
    "command: the operator joins its lines to one command, and so does this; write lines as commands.script":
      'containers: [{image: a, command: "run \\\\\\n  --a\\n  --b\\n"}]',
    "commands.pre: uses $FLUX_NUMBER_NODES of the operator's script, which is not set here: write $MINICLUSTER_SIZE":
      "containers: [{image: a, commands: {pre: echo $FLUX_NUMBER_NODES}}]",
    "commands.post: uses $diagnostics of the operator's script, which is not set here: write diagnostics of the":
      "containers: [{image: a, commands: {post: echo $diagnostics}}]",
    "commands.init: uses a function of v1alpha1 of the operator's script: write its commands":
      "containers: [{image: a, commands: {init: run_diagnostics}}]",
    "environment.hosts: the operator's script overrides it; here it counts":
      "containers: [{image: a, environment: {hosts: x}}]",
    "spec.containers[0]: has no image; takes the operator's default, ghcr.io/rse-ops/accounting:app-latest":
      "containers: [{command: a}]",
    "spec.containers[0].volumes.data: has a path and no source":
      "containers: [{image: a, volumes: {data: {path: /d}}}]",
    "data.path: the operator mounts every emptyDir at /dev/shm; here at /d":
      "containers: [{image: a, volumes: {data: {path: /d, emptyDir: true}}}]",
    "d.readOnly: the operator mounts every emptyDir for writing; left out":
      "containers: [{image: a, volumes: {d: {emptyDir: true, readOnly: true}}}]",
    "d.claimName: the operator ignores it beside hostPath; left out":
      "containers: [{image: a, volumes: {d: {path: /d, hostPath: /h, claimName: c}}}]",
    "d.items: the operator ignores it beside claimName":
      "containers: [{image: a, volumes: {d: {path: /d, claimName: c, items: {a: b}}}}]",
    'commands.script: has "$" or backticks, which are expanded when the script runs':
      "containers: [{image: a, commands: {script: 'echo $HOME'}}]",
    'command: has "$" or backticks, which are expanded in each task;':
      "containers: [{image: a, command: 'echo `date`'}]",
    "imagePullPolicy: the operator ignores it beside pullAlways":
      "containers: [{image: a, pullAlways: true, imagePullPolicy: Never}]",
    "batchRaw: the operator ignores it without batch": "containers: [{image: a, command: b, batchRaw: true}]",
    "batch: the operator ignores it without a command": "containers: [{image: a, batch: true}]",
    "commands.servicePre: the operator ignores it in the container that runs Flux":
      "containers: [{image: a, command: b, commands: {servicePre: c}}]",
    "[1]: has no command: in the operator's pods nothing runs in it; here its image's own command":
      "containers: [{image: a, runFlux: true}, {image: b, name: db, ports: [80]}]",
    "[1].ports: the operator makes no Service called db for them, because that of the brokers is": `
    network: {headlessName: db}
    containers: [{image: a, runFlux: true}, {image: b, name: db, command: c, ports: [80]}]`,
    "[1].ports: the operator makes no Service called 1db for them, because Kubernetes wants a letter first":
      "containers: [{image: a, runFlux: true}, {image: b, name: 1db, command: c, ports: [80]}]",
    "commands.script: the operator writes it and never runs it; here it is the command":
      "containers: [{image: a, runFlux: true}, {image: b, name: c, commands: {script: d}}]",
    "commands.script: the operator leaves it in /tmp/custom-entrypoint.sh for the command to run; left out":
      "containers: [{image: a, runFlux: true}, {image: b, name: c, command: d, commands: {script: e}}]",
    "spec.pod.nodeAffinity: the operator ignores it beside":
      "network: {disableAffinity: true}\npod: {nodeAffinity: {a: [b]}}",
    "spec.flux.bursting.leadBroker: has no address": "flux: {bursting: {leadBroker: {name: a, size: 2}}}",
    "command: names hosts in flux-service.default.svc, and those of this cluster are in demo.default.svc":
      "containers: [{image: a, command: curl demo-services.flux-service.default.svc.cluster.local}]",
  });
  later.all(
    'containers: [{image: a, commands: {pre: "echo $command\\nbrokerOptions=\\"$brokerOptions -Sa=b\\"; export ' +
      'FLUX_OUTPUT_DIR=/x"}}]',
    [
      "commands.pre: sets brokerOptions, which changes the operator's script and nothing here: write " +
        "flux.brokerConfig",
      "commands.pre: sets FLUX_OUTPUT_DIR, which changes the operator's script and nothing here: write logs",
    ],
  );
  later.all(
    'containers: [{image: a, commands: {brokerPre: "echo x >> $cfg/broker.toml; run_interactive_cluster", ' +
      "post: '# command=x'}}]",
    [
      "commands.brokerPre: uses run_interactive_cluster of the operator's script: set interactive: true",
      "commands.brokerPre: uses $cfg of the operator's script: is read-only here; write flux.brokerConfig",
    ],
  );
  later.all(
    "containers: [{image: a, volumes: {d: {emptyDir: true, emptyDirMedium: Memory}, e: {emptyDir: true, " +
      "path: /e, emptyDirMedium: x}}}]",
    [
      'd.emptyDirMedium: the operator supports "memory" alone and uses the disk; here memory',
      "e.path: the operator mounts",
      'e.emptyDirMedium: the operator supports "memory" alone and uses the disk; left out',
    ],
  );
  later.all("flux: {optionFlags: '-c $N', environment: {A: '$B'}}", [
    "optionFlags: here no shell reads it",
    "environment.A: here no shell reads it",
  ]);
  later.all(
    `
    flux: {environment: {FLUX_OUTPUT_DIR: /a}}
    containers: [{image: a, environment: {FLUX_OUTPUT_DIR: /b}}]`,
    [
      "containers[0].environment.FLUX_OUTPUT_DIR: the operator sets it to logs of the container",
      "flux.environment.FLUX_OUTPUT_DIR: the operator sets it to logs of the container",
    ],
  );
  later.all(
    "containers: [{image: a, runFlux: true}, {image: b, name: c, command: d, launcher: true, commands: {pre: e}}]",
    ["launcher: is for the container that runs Flux", "commands.pre: the operator ignores it in a sidecar"],
  );
  later.all(
    "containers: [{image: a, runFlux: true}, {image: b, name: c, command: d, noWrapEntrypoint: true, " +
      "commands: {post: e}}]",
    [
      "command: the operator ignores it beside noWrapEntrypoint",
      "commands.post: the operator ignores it beside noWrapEntrypoint",
    ],
  );
  later.all(
    "containers: [{image: a, runFlux: true, volumes: {d: {path: /d, claimName: c}, e: {path: /e, claimName: " +
      "c}}}, {image: b, name: c, command: x, volumes: {e: {path: /f, claimName: c}}}]",
    [
      "spec.containers[1]: the operator also mounts d here",
      "spec.containers[1].volumes.e: the operator mounts it at /e, as in the container before; here at /f",
    ],
  );
  later.none([
    "size: 2",
    "pod: {restartPolicy: Never}",
    'containers: [{image: a, command: "run\\n"}]',
    "containers: [{image: a, batch: true, command: \"run 'a'\\nrun > b\"}]",
    "containers: [{image: a, commands: {init: branch=main, pre: git clone -b $branch}}]",
    "containers: [{image: a, environment: {FLUX_USER: x}, commands: {pre: echo $FLUX_USER}}]",
    'containers: [{image: a, commands: {pre: "for startServer in a; do $startServer; done"}}]',
    "containers: [{image: a, commands: {script: 'echo \\$HOME costs 5$'}}]",
    "containers: [{image: a, command: curl demo-0.demo.default.svc.cluster.local db-0.other.default.svc}]",
  ]);

  it("labels and annotations of the object, which is not made here", () => {
    const text = aManifest(container).replace("spec:", "  labels: {a: b}\n  annotations: {c: d}\nspec:");
    const places = readOne(text).warnings.map(({ path, line, column }) => [path, line, column]);
    assert.deepEqual(places, [
      ["metadata.labels", 5, 3],
      ["metadata.annotations", 6, 3],
    ]);
  });

  it("unknown fields, when it asks for that", () => {
    const text = aManifest(`${container}\nsise: 2\npod: {labls: {a: b}}`);
    const { args, warnings } = readOne(text, { unknownFields: "warn" });
    assert.deepEqual(
      warnings.map(({ path, line, column, message }) => `${line}:${column} ${path}: ${message}`),
      ["7:3 spec.sise: unknown field; did you mean size?", "8:9 spec.pod.labls: unknown field; did you mean labels?"],
    );
    assert.deepEqual([args.size, args.pod], [undefined, {}]);
    assert.equal(problemsIn(text).length, 2);
  });
});

describe("a v1alpha1 cluster is warned of", () => {
  earlier.one({
    "spec.users: the RESTful server that had users is gone": "users: [{name: a, password: b}]",
    "spec.fluxRestful: the RESTful server is gone": "fluxRestful: {port: 5000}",
    "spec.localDeploy: nothing takes its place": "localDeploy: true",
    "spec.flux.installRoot: Flux is looked for on the PATH; put /opt/flux/bin on that of the image":
      "flux: {installRoot: /opt/flux}",
    "spec.flux.curveCertSecret: left out": "flux: {curveCertSecret: s}",
    "spec.flux.mungeSecret: here the Secret's key munge.key": "flux: {mungeSecret: s}",
    'spec.containers[0]: v1alpha1 makes a user "flux"': "containers: [{image: a, command: b}]",
    "spec.containers[0].fluxUser: here Flux runs as the image's user":
      "containers: [{image: a, command: b, fluxUser: {uid: 1002}}]",
    "spec.containers[0]: without a command v1alpha1 starts the RESTful server":
      "containers: [{image: a, commands: {runFluxAsRoot: true}}]",
    "spec.containers[0].diagnostics: runs on the lead broker, in place of the command":
      "containers: [{image: a, command: b, diagnostics: true, commands: {runFluxAsRoot: true}}]",
    "spec.containers[0].fluxOptionFlags: here no shell reads it":
      'containers: [{image: a, command: b, fluxOptionFlags: "-c $N", commands: {runFluxAsRoot: true}}]',
  });

  earlier.none(["size: 2"]);
});
