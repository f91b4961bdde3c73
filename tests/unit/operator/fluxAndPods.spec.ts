import * as assert from "node:assert/strict";
import { aManifest, argsOf, problemsIn } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";

describe("the brokers and pods of a v1alpha2 cluster", () => {
  const fluxOf = (lines: string) => argsOf(`${container}\nflux: {${lines}}`).flux;

  const fields: [rule: string, flux: string, want: object][] = [
    [
      "take over every plain field",
      "submitCommand: flux run, wrap: strace, optionFlags: -ompi=pmix, topology: 'kary:0', disableSocket: true, noWaitSocket: true, completeWorkers: true, minimalService: true, mungeSecret: m, environment: {A: b}",
      {
        ...{ submitCommand: "flux run", wrap: "strace", optionFlags: "-ompi=pmix", topology: "kary:0" },
        ...{ disableSocket: true, noWaitSocket: true, completeWorkers: true, minimalService: true },
        ...{ mungeSecret: "m", environment: { A: "b" } },
      },
    ],
    ["leave out the timeout that is empty, and only that", "connectTimeout: '', topology: ''", { connectTimeout: "" }],
    ["log at level 6 where 0 is given", "logLevel: 0", { logLevel: 6 }],
    [
      "take a scheduler",
      "scheduler: {simple: true, queuePolicy: easy}",
      { scheduler: { simple: true, queuePolicy: "easy" } },
    ],
    [
      "take the view as it is",
      "container: {image: v, name: view, mountPath: /opt/flux, workingDir: /w, pythonPath: /p, pullAlways: true, disable: false, imagePullSecret: s, resources: {limits: {cpu: 1}}, securityContext: {runAsUser: 0}}",
      {
        container: {
          ...{ image: "v", name: "view", mountPath: "/opt/flux", workingDir: "/w", pythonPath: "/p", pullAlways: true },
          ...{ disable: false, imagePullSecret: "s", resources: { limits: { cpu: "1" } } },
          securityContext: { runAsUser: 0 },
        },
      },
    ],
    [
      "burst, with sizes of 0 left out",
      "bursting: {clusters: [{name: demo, size: 0}, {size: 3}], leadBroker: {address: 10.0.0.1, name: root, size: 2, port: 0}}",
      {
        bursting: {
          clusters: [{ name: "demo" }, { size: 3 }],
          leadBroker: { address: "10.0.0.1", name: "root", size: 2 },
        },
      },
    ],
    [
      "have no lead broker elsewhere without an address",
      "bursting: {leadBroker: {}, hostlist: 'a-[0-3]'}",
      { bursting: { hostlist: "a-[0-3]" } },
    ],
    ...["arm", "arm64", "aarch64", "ARM"].map((arch): [string, string, object] => [
      `know ${arch}`,
      `arch: ${arch}`,
      { arch: "arm64" },
    ]),
    ...["amd64", "x86_64", "x86"].map((arch): [string, string, object] => [
      `know ${arch}`,
      `arch: ${arch}`,
      { arch: "amd64" },
    ]),
  ];
  for (const [rule, flux, want] of fields) it(rule, () => assert.deepEqual(fluxOf(flux), want));

  it("refuse an architecture that nobody knows", () =>
    assert.deepEqual(problemsIn(aManifest(`${container}\nflux: {arch: sparc}`)), [
      'manifest:7:16: spec.flux.arch: must be one of "amd64", "arm64"',
    ]));

  it("take over every setting of the pods", () => {
    const pod = {
      ...{ annotations: { a: "b" }, labels: { c: "d" }, restartPolicy: "Never", serviceAccountName: "s" },
      ...{ automountServiceAccountToken: true, runtimeClassName: "r", schedulerName: "x", nodeSelector: { e: "f" } },
      ...{ nodeAffinity: { g: ["h"] }, tolerations: [{ key: "k", operator: "Exists" }], dnsPolicy: "None" },
      ...{ hostIPC: true, hostPID: true, securityContext: { fsGroup: 1000 } },
    };
    assert.deepEqual(argsOf(`${container}\npod: ${JSON.stringify(pod)}`).pod, pod);
  });

  it("have the operator's overhead as their resources", () =>
    assert.deepEqual(argsOf(`${container}\npod: {resources: {cpu: 2, memory: 1Gi}}`).pod, {
      resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "2", memory: "1Gi" } },
    }));
});
