import * as assert from "node:assert/strict";
import { aManifest, problemsIn, readOne, warningsOf } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";

describe("a v1alpha2 cluster is warned of", () => {
  const cases: [what: string, spec: string, want: RegExp[]][] = [
    ["nothing that is the same", `${container}\nsize: 2`, []],
    [
      "an image that is missing",
      "containers: [{command: a}]",
      [/^spec\.containers\[0\]: has no image.*accounting:app-latest$/],
    ],
    [
      "a volume with only a path",
      "containers: [{image: a, volumes: {data: {path: /d}}}]",
      [/^spec\.containers\[0\]\.volumes\.data: has a path and no source/],
    ],
    [
      "an emptyDir at another path",
      "containers: [{image: a, volumes: {data: {path: /d, emptyDir: true}}}]",
      [/data\.path: the operator mounts every emptyDir at \/dev\/shm; here at \/d$/],
    ],
    [
      "a medium that the operator does not know",
      "containers: [{image: a, volumes: {d: {emptyDir: true, emptyDirMedium: Memory}, e: {emptyDir: true, path: /e, emptyDirMedium: x}}}]",
      [/d\.emptyDirMedium: .*here memory$/, /e\.path/, /e\.emptyDirMedium: .*left out$/],
    ],
    [
      "a second source of a volume",
      "containers: [{image: a, volumes: {d: {path: /d, hostPath: /h, claimName: c}}}]",
      [/d\.claimName: the operator ignores it beside hostPath; left out$/],
    ],
    [
      "a part of a source that is not there",
      "containers: [{image: a, volumes: {d: {path: /d, claimName: c, items: {a: b}}}}]",
      [/d\.items: the operator ignores it beside claimName/],
    ],
    [
      "a script that the operator expands",
      "containers: [{image: a, commands: {script: 'echo $HOME'}}]",
      [/commands\.script: has "\$" or backticks/],
    ],
    [
      "no script whose dollars are escaped",
      "containers: [{image: a, commands: {script: 'echo \\$HOME costs 5$'}}]",
      [],
    ],
    [
      "a command that the operator expands",
      "containers: [{image: a, command: 'echo `date`'}]",
      [/command: has .* in each task;/],
    ],
    [
      "options that no shell reads here",
      `${container}\nflux: {optionFlags: '-c $N', environment: {A: '$B'}}`,
      [/optionFlags: here no shell/, /environment\.A: here no shell/],
    ],
    [
      "a pull policy beside pullAlways",
      "containers: [{image: a, pullAlways: true, imagePullPolicy: Never}]",
      [/imagePullPolicy: the operator ignores it beside pullAlways/],
    ],
    [
      "what only batch jobs have",
      "containers: [{image: a, command: b, batchRaw: true}]",
      [/batchRaw: the operator ignores it without batch/],
    ],
    [
      "a directory for output that the operator's script overrides",
      "flux: {environment: {FLUX_OUTPUT_DIR: /a}}\ncontainers: [{image: a, environment: {FLUX_OUTPUT_DIR: /b}}]",
      [
        /containers\[0\]\.environment\.FLUX_OUTPUT_DIR: the operator sets it to logs of the container/,
        /flux\.environment\.FLUX_OUTPUT_DIR: the operator sets it to logs of the container/,
      ],
    ],
    [
      "a batch job without a command",
      "containers: [{image: a, batch: true}]",
      [/batch: the operator ignores it without a command/],
    ],
    [
      "a piece for sidecars at the broker",
      "containers: [{image: a, command: b, commands: {servicePre: c}}]",
      [/servicePre: the operator ignores it in the container that runs Flux/],
    ],
    [
      "a sidecar without a command",
      "containers: [{image: a, runFlux: true}, {image: b, name: db, ports: [80]}]",
      [/\[1\]: has no command: .*its image's own command$/],
    ],
    [
      "ports of a sidecar for which the operator makes no Service, because that of the brokers has the name",
      "network: {headlessName: db}\ncontainers: [{image: a, runFlux: true}, {image: b, name: db, command: c, ports: [80]}]",
      [/\[1\]\.ports: the operator makes no Service called db for them, because that of the brokers is/],
    ],
    [
      "ports of a sidecar for which the operator makes no Service, because it cannot have the name",
      "containers: [{image: a, runFlux: true}, {image: b, name: 1db, command: c, ports: [80]}]",
      [/\[1\]\.ports: the operator makes no Service called 1db for them, because Kubernetes wants a letter first/],
    ],
    [
      "a sidecar's script",
      "containers: [{image: a, runFlux: true}, {image: b, name: c, commands: {script: d}}]",
      [/script: the operator writes it and never runs it; here it is the command$/],
    ],
    [
      "a sidecar's script beside its command",
      "containers: [{image: a, runFlux: true}, {image: b, name: c, command: d, commands: {script: e}}]",
      [/script: the operator leaves it in .*; left out$/],
    ],
    [
      "a sidecar's pieces that the operator ignores",
      "containers: [{image: a, runFlux: true}, {image: b, name: c, command: d, launcher: true, commands: {pre: e}}]",
      [/launcher: is for the container that runs Flux/, /commands\.pre: the operator ignores it in a sidecar/],
    ],
    [
      "a command beside noWrapEntrypoint",
      "containers: [{image: a, runFlux: true}, {image: b, name: c, command: d, noWrapEntrypoint: true, commands: {post: e}}]",
      [/command: the operator ignores it beside noWrapEntrypoint/, /commands\.post: /],
    ],
    [
      "a service's command",
      `${container}\nservices: [{image: a, name: b, command: c, runFlux: true, commands: {init: d}}]`,
      [
        /^spec\.services\[0\]\.command: the operator ignores it in a service/,
        /commands\.init/,
        /runFlux: means nothing in a service/,
      ],
    ],
    [
      "volumes that the operator mounts without being asked",
      "containers: [{image: a, runFlux: true, volumes: {d: {path: /d, claimName: c}, e: {path: /e, claimName: c}}}, {image: b, name: c, command: x, volumes: {e: {path: /f, claimName: c}}}]",
      [
        /^spec\.containers\[1\]: the operator mounts d here, too/,
        /^spec\.containers\[1\]\.volumes\.e: the operator mounts it at \/e, .*; here at \/f$/,
      ],
    ],
    [
      "an affinity that the operator drops",
      `${container}\nnetwork: {disableAffinity: true}\npod: {nodeAffinity: {a: [b]}}`,
      [/^spec\.pod\.nodeAffinity: the operator ignores it beside/],
    ],
    [
      "the overhead of pods",
      `${container}\npod: {resources: {cpu: 1}}`,
      [/^spec\.pod\.resources: the operator calls them the pod's overhead/],
    ],
    [
      "a security context that the operator drops",
      `${container}\npod: {securityContext: {fsGroup: 1, runAsUser: 2}}`,
      [/^spec\.pod\.securityContext: the operator passes on fsGroup alone; here runAsUser count/],
    ],
    [
      "what is for Windows",
      "containers: [{image: a, securityContext: {windowsOptions: {runAsUserName: b}}}]",
      [/securityContext\.windowsOptions: is for Windows nodes/],
    ],
    ["the end of the cluster", `${container}\ncleanup: true`, [/^spec\.cleanup: removes the Job and its pods/]],
    [
      "a lead broker without an address",
      `${container}\nflux: {bursting: {leadBroker: {name: a, size: 2}}}`,
      [/leadBroker: has no address/],
    ],
    [
      "a service of another name in a command",
      "containers: [{image: a, command: curl demo-services.flux-service.default.svc.cluster.local}]",
      [/command: names hosts in flux-service\.default\.svc, and those of this cluster are in demo\.default\.svc/],
    ],
    [
      "no service of the right name",
      "containers: [{image: a, command: curl demo-0.demo.default.svc.cluster.local db-0.other.default.svc}]",
      [],
    ],
  ];
  for (const [what, spec, want] of cases)
    it(what, () => {
      const warnings = warningsOf(spec);
      assert.equal(warnings.length, want.length, warnings.join("\n"));
      want.forEach((pattern, index) => assert.match(warnings[index] ?? "", pattern));
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
