import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../provider";
import { parseMiniClusterArgs } from "../../../provider/minicluster/parse";
import { aContainer, aLead, aMiniCluster, aMiniClusterArgs } from "../../support/fixtures";
import { itRefuses, problemsOf } from "../../support/problems";
import { valueAt } from "../../support/propertyPaths";

/** Every default that a doc comment of the args promises, as it stands in the spec. */
const defaults: Record<string, unknown> = {
  name: "demo",
  namespace: "default",
  size: 1,
  minSize: undefined,
  maxSize: 1,
  tasks: 1,
  deadlineSeconds: 31_500_000,
  backoffLimit: 6,
  jobLabels: {},
  shareProcessNamespace: false,
  cleanup: false,
  suspend: false,
  wait: "ready",
  waitTimeoutSeconds: 600,
  resize: "patch",
  services: [],
  archive: undefined,
  gang: {},
  podSecurity: "baseline",
  podTemplate: undefined,
  "network.headlessName": "demo",
  "network.affinity": "required",
  "network.policy": "none",
  "logging.quiet": false,
  "logging.strict": true,
  "logging.debug": false,
  "logging.zeromq": false,
  "logging.timed": false,
  "flux.arch": undefined,
  "flux.submitCommand": ["flux", "submit"],
  "flux.optionFlags": [],
  "flux.wrap": undefined,
  "flux.connectTimeout": "5s",
  "flux.topology": undefined,
  "flux.disableSocket": false,
  "flux.noWaitSocket": false,
  "flux.completeWorkers": false,
  "flux.logLevel": 6,
  "flux.scheduler": { simple: false, queuePolicy: "fcfs" },
  "flux.minimalService": false,
  "flux.curveCert": undefined,
  "flux.mungeSecret": undefined,
  "flux.brokerConfig": undefined,
  "flux.environment": {},
  "flux.container.imageVolume": false,
  "flux.container.image": "ghcr.io/converged-computing/flux-view-ubuntu:tag-noble",
  "flux.container.name": "flux-view",
  "flux.container.mountPath": "/mnt/flux",
  "flux.container.workingDir": undefined,
  "flux.container.pythonPath": undefined,
  "flux.container.resources": undefined,
  "flux.container.imagePullSecret": undefined,
  "flux.container.imagePullPolicy": "IfNotPresent",
  "flux.container.pullAlways": false,
  "flux.container.securityContext": { allowPrivilegeEscalation: false },
  "flux.container.disable": false,
  "main.name": "demo",
  "main.command": undefined,
  "main.workingDir": undefined,
  "main.launcher": false,
  "main.batch": false,
  "main.batchRaw": false,
  "main.logs": "/tmp/fluxout",
  "main.noWrapEntrypoint": false,
  "main.lifeCycle": {},
  "main.imagePullSecret": undefined,
  "main.imagePullPolicy": "IfNotPresent",
  "main.ports": [],
  "main.environment": {},
  "main.secrets": {},
  "main.resources": undefined,
  "main.securityContext": { allowPrivilegeEscalation: false },
  "main.commands": { prefix: [] },
  "main.volumes": {},
  sidecars: [],
  "pod.annotations": {},
  "pod.labels": {},
  "pod.restartPolicy": "Never",
  "pod.serviceAccountName": undefined,
  "pod.automountServiceAccountToken": false,
  "pod.runtimeClassName": undefined,
  "pod.schedulerName": undefined,
  "pod.nodeSelector": {},
  "pod.nodeAffinity": {},
  "pod.tolerations": [],
  "pod.dnsPolicy": undefined,
  "pod.hostIPC": undefined,
  "pod.hostPID": undefined,
  "pod.resources": undefined,
  "pod.securityContext": { seccompProfile: { type: "RuntimeDefault" } },
};

describe("the spec of a cluster", () => {
  const spec = parseMiniClusterArgs("demo", { containers: [{ image: "i" }] });
  for (const [path, want] of Object.entries(defaults))
    it(`has by default ${path} ${JSON.stringify(want) ?? "open"}`, () => assert.deepEqual(valueAt(spec, path), want));

  it("takes undefined for nothing said", () => {
    const keys = Object.keys(defaults).map((path) => path.split(".")[0] ?? "");
    const said = keys.filter((key) => key !== "main" && key !== "sidecars");
    const args = Object.fromEntries(said.map((key) => [key, undefined]));
    const again = parseMiniClusterArgs("demo", { ...args, containers: [{ image: "i" }] });
    const known = (value: object): unknown => JSON.parse(JSON.stringify(value));
    assert.deepEqual(known(again), known(spec));
  });

  it("is named after the resource, or as it is told", () => {
    assert.equal(parseMiniClusterArgs("one", { containers: [aContainer()] }).name, "one");
    assert.equal(parseMiniClusterArgs("one", { name: "two", containers: [aContainer()] }).name, "two");
  });

  it("leads with the container that runs Flux, and keeps the others in order", () => {
    const containers = [aContainer({ name: "a" }), aContainer({ name: "b" }), aContainer({ name: "c", runFlux: true })];
    const { main, sidecars } = aMiniCluster({ containers });
    assert.deepEqual(
      [main, ...sidecars].map(({ name }) => name),
      ["c", "a", "b"],
    );
  });

  const modes: [name: string, args: Partial<MiniClusterArgs>, mode: string][] = [
    ["submits a command", {}, "submit"],
    ["submits a script", { containers: [{ image: "i", commands: { script: "x" } }] }, "submit"],
    ["leaves a launcher to itself", { containers: [aContainer({ launcher: true })] }, "launcher"],
    ["submits a batch job", { containers: [aContainer({ batch: true })] }, "batch"],
    [
      "leaves a batch job to people when asked to",
      { interactive: true, containers: [aContainer({ batch: true })] },
      "interactive",
    ],
    ["is interactive with no command", { containers: [{ image: "i" }] }, "interactive"],
    ["is interactive with a blank command", { containers: [aContainer({ command: " \n" })] }, "interactive"],
    ["is interactive when asked to", { interactive: true }, "interactive"],
  ];
  for (const [name, args, mode] of modes) it(name, () => assert.equal(aLead(args).mode, mode));
});

describe("the suspension of a cluster", () => {
  const cases: [name: string, args: Partial<MiniClusterArgs>, want: boolean | undefined][] = [
    ["is off", {}, false],
    ["is what the user says", { suspend: true }, true],
    ["is Kueue's to say in a queue", { gang: { queueName: "hpc" } }, undefined],
  ];
  for (const [name, args, want] of cases) it(name, () => assert.equal(aMiniCluster(args).suspend, want));
});

describe("the limits of a cluster", () => {
  const label = "a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends";
  const limits: [path: string, value: unknown, says: string][] = [
    ["name", "Demo_1", `"Demo_1" must be ${label}`],
    ["namespace", "a.b", `"a.b" must be ${label}`],
    ["size", 0, "0 must be an integer from 1 to 100000"],
    ["size", 1.5, "1.5 must be an integer from 1 to 100000"],
    ["size", 100_001, "100001 must be an integer from 1 to 100000"],
    ["size", NaN, "must be an integer from 1 to 100000"],
    ["minSize", 0, "0 must be an integer from 1 to 100000"],
    ["maxSize", 100_001, "100001 must be an integer from 1 to 100000"],
    ["tasks", -1, "-1 must be an integer from 0 to 2147483647"],
    ["deadlineSeconds", 0, "0 must be an integer of at least 1"],
    ["backoffLimit", -1, "-1 must be an integer from 0 to 2147483647"],
    ["waitTimeoutSeconds", 0, "0 must be an integer from 1 to 2147483647"],
    ["interactive", "yes", "must be true or false"],
    ["wait", "later", 'must be one of "ready", "complete", "none"'],
    ["resize", "never", 'must be one of "patch", "manifest"'],
    ["podSecurity", "privileged", 'must be one of "baseline", "restricted"'],
    ["cleanup", 60, "must be true or false"],
    ["services", {}, "must be a list"],
    ["network.policy", "closed", 'must be one of "none", "brokerPort", "pods"'],
    ["network.affinity", "strict", 'must be one of "required", "preferred", "none"'],
    [
      "network.headlessName",
      "1st",
      '"1st" must be a lowercase DNS label that starts with a letter: at most 63 of a-z, 0-9 and -',
    ],
    ["logging.quiet", 1, "must be true or false"],
    ["containers", undefined, "must be a list"],
  ];
  itRefuses(
    limits.map(([path, value, says]) => {
      const [first = "", second] = path.split(".");
      const args = { [first]: second === undefined ? value : { [second]: value } };
      return { rule: `${path} ${String(value)}`, args, path, says };
    }),
  );
});

describe("wrong arguments", () => {
  const wrong = { size: 9, maxSize: 8, sise: 1, wait: "later", containers: [aContainer({ ports: [0] })] };

  it("are reported all at once, one entry for each property", () => {
    assert.deepEqual(problemsOf(aMiniClusterArgs(wrong as Partial<MiniClusterArgs>)), [
      { propertyPath: "containers[0].ports[0]", reason: "0 must be an integer from 1 to 65535" },
      { propertyPath: "wait", reason: 'must be one of "ready", "complete", "none"' },
      { propertyPath: "sise", reason: "unknown property; correct its name or remove it" },
      { propertyPath: "size", reason: "size 9 is above maxSize 8; raise maxSize or lower size" },
    ]);
  });

  it("make one message that names the component and every property", () => {
    assert.throws(
      () => parseMiniClusterArgs("hpc", wrong as unknown as MiniClusterArgs),
      (error) => {
        assert.ok(pulumi.InputPropertiesError.isInstance(error));
        assert.equal(
          error.message,
          [
            "MiniCluster hpc: invalid arguments, nothing was created",
            "  containers[0].ports[0]: 0 must be an integer from 1 to 65535",
            '  wait: must be one of "ready", "complete", "none"',
            "  sise: unknown property; correct its name or remove it",
            "  size: size 9 is above maxSize 8; raise maxSize or lower size",
          ].join("\n"),
        );
        return true;
      },
    );
  });
});
