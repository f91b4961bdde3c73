import * as assert from "node:assert/strict";
import { argsOf } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";

describe("the containers of a v1alpha2 cluster", () => {
  const oneContainer = (lines: string) =>
    argsOf(`containers:\n  - image: a\n${lines.replace(/^/gm, "    ")}`).containers[0];

  const fields: [rule: string, lines: string, want: object][] = [
    [
      "take over every plain field",
      "command: echo\nworkingDir: /w\nimagePullSecret: s\nports: [80]\nenvironment: {A: b}\nsecrets: {T: {name: s, key: k}}\nlifeCycle: {postStartExec: a, preStopExec: b}\nlauncher: true",
      {
        ...{ command: "echo", workingDir: "/w", imagePullSecret: "s", ports: [80], environment: { A: "b" } },
        ...{
          secrets: { T: { name: "s", key: "k" } },
          lifeCycle: { postStartExec: "a", preStopExec: "b" },
          launcher: true,
        },
      },
    ],
    ["run Flux when there is one, whatever it says and whatever its name", "name: other\nrunFlux: false", {}],
    [
      "have quantities as strings or whole numbers",
      "resources: {limits: {cpu: 4, memory: 8Gi, nvidia.com/gpu: 1}, requests: {cpu: 500m}}",
      { resources: { limits: { cpu: "4", memory: "8Gi", "nvidia.com/gpu": "1" }, requests: { cpu: "500m" } } },
    ],
    ["are pulled always or by their policy", "pullAlways: false\nimagePullPolicy: Never", { imagePullPolicy: "Never" }],
    [
      "are pulled always where both are given, as by the operator",
      "pullAlways: true\nimagePullPolicy: Always",
      { pullAlways: true },
    ],
    [
      "have the pieces of code of the container that runs Flux",
      "commands: {prefix: strace, init: a, pre: b, post: c, brokerPre: d, workerPre: e}",
      { commands: { prefix: "strace", init: "a", pre: "b", post: "c", brokerPre: "d", workerPre: "e" } },
    ],
    [
      "have a whole security context",
      "securityContext: {privileged: true, runAsUser: 0, capabilities: {add: [SYS_PTRACE], drop: [ALL]}, seccompProfile: {type: Unconfined}}",
      {
        securityContext: {
          ...{ privileged: true, runAsUser: 0, seccompProfile: { type: "Unconfined" } },
          capabilities: { add: ["SYS_PTRACE"], drop: ["ALL"] },
        },
      },
    ],
    [
      "have their script without the backslashes that the operator's shell takes off",
      "commands:\n  script: 'echo \\$HOME \\\\ \\x \\\" \\`date\\`'",
      { commands: { script: 'echo $HOME \\ \\x \\" `date`' } },
    ],
    [
      "have their batch commands without those either",
      'batch: true\nbatchRaw: true\nlogs: /out\ncommand: |\n  for i in \\$(seq 3); do echo \\"a\\"; done\n',
      { batch: true, batchRaw: true, logs: "/out", command: 'for i in $(seq 3); do echo "a"; done\n' },
    ],
    ["have a directory for output without batch, too", "command: a\nlogs: /out", { command: "a", logs: "/out" }],
    ["keep a plain command as it is", "command: echo \\$HOME", { command: "echo \\$HOME" }],
  ];
  for (const [rule, lines, want] of fields)
    it(rule, () => assert.deepEqual(oneContainer(lines), { image: "a", ...want }));

  const volumes: [rule: string, volume: string, want: object][] = [
    [
      "a directory of the node",
      "{path: /d, hostPath: /d, readOnly: true}",
      { path: "/d", hostPath: "/d", readOnly: true },
    ],
    ["a claim", "{path: /d, claimName: c}", { path: "/d", claimName: "c" }],
    ["a Secret", "{path: /d, secretName: s}", { path: "/d", secretName: "s" }],
    [
      "a ConfigMap",
      "{path: /d, configMapName: m, items: {k: f}}",
      { path: "/d", configMapName: "m", items: { k: "f" } },
    ],
    [
      "a CSI driver",
      "{path: /d, csiDriver: x, csiDriverAttributes: {a: b}}",
      { path: "/d", csiDriver: "x", csiDriverAttributes: { a: "b" } },
    ],
    ["an empty directory", "{emptyDir: true, emptyDirSizeLimit: 1Gi}", { emptyDir: true, emptyDirSizeLimit: "1Gi" }],
    ["memory", "{emptyDir: true, emptyDirMedium: memory}", { emptyDir: true, emptyDirMedium: "Memory" }],
    ["an empty directory where only a path is given", "{path: /d}", { emptyDir: true, path: "/d" }],
    ["the operator's choice of two sources", "{path: /d, hostPath: /h, claimName: c}", { path: "/d", hostPath: "/h" }],
  ];
  for (const [rule, volume, want] of volumes)
    it(`mount ${rule}`, () => assert.deepEqual(oneContainer(`volumes: {data: ${volume}}`)?.volumes, { data: want }));

  it("are a broker and sidecars, by runFlux", () =>
    assert.deepEqual(
      argsOf(`
        containers:
          - {image: a, name: one, runFlux: true}
          - {image: b, name: two, runFlux: false, command: sleep, commands: {servicePre: p, init: i, post: q}}
          - {image: c, name: z, commands: {post: q}}
          - {image: d, name: w, noWrapEntrypoint: true}`).containers,
      [
        { image: "a", runFlux: true },
        { image: "b", name: "two", command: "sleep", commands: { init: "i", post: "q", servicePre: "p" } },
        { image: "c", name: "z", command: ":", commands: { post: "q" } },
        { image: "d", name: "w", noWrapEntrypoint: true },
      ],
    ));

  const ports = (name: string, more = "") =>
    argsOf(`containers: [{image: a, runFlux: true, ports: [22]}, {image: b, name: ${name}, ports: [80, 443]}]\n${more}`)
      .containers;

  it("name the Service that the operator makes for the ports of a sidecar, and of no other", () => {
    assert.deepEqual(
      ports("nginx").map(({ serviceName }) => serviceName),
      [undefined, "nginx"],
    );
    assert.equal(argsOf("containers: [{image: a, name: web, ports: [80]}]").containers[0]?.serviceName, undefined);
    const bare = argsOf("containers: [{image: a, runFlux: true}, {image: b, name: web, command: c}]");
    assert.equal(bare.containers[1]?.serviceName, undefined);
  });

  it("name none where the operator makes none", () => {
    assert.equal(ports("1nginx")[1]?.serviceName, undefined);
    assert.equal(ports("nginx", "network: {headlessName: nginx}")[1]?.serviceName, undefined);
  });

  it("are services, which run their image", () =>
    assert.deepEqual(
      argsOf(`${container}\nservices: [{image: nginx, name: web, ports: [80], environment: {A: b}}]`).services,
      [{ image: "nginx", name: "web", ports: [80], environment: { A: "b" } }],
    ));
});
