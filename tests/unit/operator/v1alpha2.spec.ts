import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../../provider/minicluster/flux/curve";
import { miniClusterManifestFields } from "../../../provider/operator/fields/manifest";
import { aManifest, argsOf, problemsIn, readOne } from "../../support/manifestTexts";
import { valueOf } from "../../support/mocks";
import { casesOf, wanted } from "../../support/cases";

const container = "containers: [{image: a}]";
/** What every manifest gives, whatever it says. */
const always = {
  name: "demo",
  backoffLimit: 100,
  containers: [{ image: "a" }],
  network: { affinity: "preferred" },
  logging: { strict: false },
};

describe("a v1alpha2 cluster", () => {
  const table = `
tasks: 0
  same
{size: 2, minSize: 1, maxSize: 4, tasks: 8, interactive: true, deadlineSeconds: 60, backoffLimit: 3, shareProcessNamespace: true}
  same
{jobLabels: {a: b, c: ''}, archive: {path: /state/a.tar.gz}}
  same
{minSize: 0, maxSize: 0, backoffLimit: 0, archive: {path: ''}, size: , jobLabels: null, flux: ~}
  {}
network: {headlessName: mesh}
  network: {headlessName: mesh, affinity: preferred}
network: {disableAffinity: true}
  network: {affinity: none}
{interactive: yes, logging: {quiet: on, strict: off}}
  {interactive: true, logging: {quiet: true, strict: false}}
{size: 0x2, maxSize: 4.0}
  {size: 2, maxSize: 4}
{jobLabels: &l {a: b, c: d}, pod: {labels: {<<: *l, c: e}}}
  {jobLabels: {a: b, c: d}, pod: {labels: {c: e, a: b}}}
flux: {container: {imagePullSecret: s, securityContext: {runAsUser: 0}, resources: {limits: {cpu: 1}}}}
  flux: {container: {imagePullSecret: s, securityContext: {runAsUser: 0}, resources: {limits: {cpu: "1"}}}}
flux: {connectTimeout: '', topology: ''}
  flux: {connectTimeout: ''}
flux: {logLevel: 0}
  flux: {logLevel: 6}
flux: {bursting: {clusters: [{name: demo, size: 0}, {size: 3}], leadBroker: {address: 10.0.0.1, name: root, size: 2, port: 0}}}
  flux: {bursting: {clusters: [{name: demo}, {size: 3}], leadBroker: {address: 10.0.0.1, name: root, size: 2}}}
flux: {bursting: {leadBroker: {}, hostlist: 'a-[0-3]'}}
  flux: {bursting: {hostlist: 'a-[0-3]'}}
flux: {arch: aarch64}
  flux: {arch: arm64}
flux: {arch: ARM}
  flux: {arch: arm64}
flux: {arch: x86_64}
  flux: {arch: amd64}
pod: {dnsPolicy: None, hostIPC: true, hostPID: true, securityContext: {fsGroup: 1000}}
  same
pod: {resources: {cpu: 2, memory: 1Gi}}
  pod: {resources: {limits: {cpu: "2", memory: 1Gi}, requests: {cpu: "2", memory: 1Gi}}}
`;
  for (const each of casesOf(table))
    it(`takes over ${each.given}`, () => {
      const spec = each.given.startsWith("{")
        ? each.given.replace("{", `{${container}, `)
        : `${container}\n${each.given}`;
      assert.deepEqual(argsOf(spec), { ...always, ...(wanted(each) as object) });
    });

  it("takes over name and namespace, and nothing that a server wrote", () => {
    const written = `  namespace: lab
  uid: 7a
  resourceVersion: "1"
  generation: 3
  creationTimestamp: 2026-01-01T00:00:00Z
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
  managedFields: [{manager: kubectl, operation: Update, fieldsV1: {"f:spec": {}}}]
  finalizers: [a/b]
status: {size: 4, jobid: "", maximumSize: 4, conditions: [{type: JobRunning, status: "True"}]}
spec:`;
    const text = aManifest(container).replace("spec:", written);
    const { args, warnings, namespace } = readOne(text);
    assert.deepEqual([args.name, args.namespace, namespace, warnings], ["demo", "lab", "lab", []]);
  });

  it("keeps a certificate secret", async () => {
    const text = renderCurveCertificate("demo", Buffer.alloc(32, 7));
    const certificate = pulumi.output(
      argsOf(`${container}\nflux: {curveCert: ${JSON.stringify(text)}}`).flux?.curveCert,
    );
    assert.ok(await pulumi.isSecret(certificate));
    assert.equal(await valueOf(certificate), text);
  });
});

describe("the containers of a v1alpha2 cluster", () => {
  const single = String.raw`
{command: echo, workingDir: /w, imagePullSecret: s, ports: [80], environment: {A: b, C: ''}, secrets: {T: {name: s, key: k}}, launcher: true}
  same
{commands: {prefix: strace, init: a, pre: b, post: c, brokerPre: d, workerPre: e}}
  same
{securityContext: {privileged: true, runAsUser: 0, capabilities: {add: [SYS_PTRACE], drop: [ALL]}, seccompProfile: {type: Unconfined}}}
  same
{name: other, runFlux: false, image: a}
  {}
{resources: {limits: {cpu: 4, memory: 8Gi, nvidia.com/gpu: 1}, requests: {cpu: 500m}}}
  {resources: {limits: {cpu: "4", memory: 8Gi, nvidia.com/gpu: "1"}, requests: {cpu: 500m}}}
{pullAlways: false, imagePullPolicy: Never}
  {imagePullPolicy: Never}
{pullAlways: true, imagePullPolicy: Always}
  {pullAlways: true}
{commands: {script: 'echo \$HOME \\ \x \" ${"\\`date\\`"}'}}
  {commands: {script: 'echo $HOME \ \x \" ${"`date`"}'}}
{batch: true, command: 'for i in \$(seq 3); do echo \"a\"; done'}
  {batch: true, command: 'for i in $(seq 3); do echo "a"; done'}
{volumes: {data: {path: /d, claimName: c}, other: {path: /e, secretName: s}}}
  same
{volumes: {data: {emptyDir: true, emptyDirMedium: memory, emptyDirSizeLimit: 1Gi}}}
  {volumes: {data: {emptyDir: true, emptyDirMedium: Memory, emptyDirSizeLimit: 1Gi}}}
{volumes: {data: {path: /d}}}
  {volumes: {data: {emptyDir: true, path: /d}}}
{volumes: {data: {path: /d, hostPath: /h, claimName: c}}}
  {volumes: {data: {path: /d, hostPath: /h}}}
`;
  for (const each of casesOf(single))
    it(`are taken over: ${each.given}`, () =>
      assert.deepEqual(
        argsOf(`containers: [${each.given.replace("{", "{image: a, ").replace(", image: a}", "}")}]`).containers,
        [{ image: "a", ...(wanted(each) as object) }],
      ));

  it("are a broker and sidecars, by runFlux, and services, which run their image", () => {
    const { containers, services } = argsOf(`
      containers:
        - {image: a, name: one, runFlux: true}
        - {image: b, name: two, runFlux: false, command: sleep, commands: {servicePre: p, init: i, post: q}}
        - {image: c, name: z, commands: {post: q}}
        - {image: d, name: w, noWrapEntrypoint: true}
        - {image: e, name: v, commands: {script: s}}
      services: [{image: nginx, name: web, ports: [80], environment: {A: b}}]`);
    assert.deepEqual(containers, [
      { image: "a", runFlux: true },
      { image: "b", name: "two", command: "sleep", commands: { init: "i", post: "q", servicePre: "p" } },
      { image: "c", name: "z", command: ":", commands: { post: "q" } },
      { image: "d", name: "w", noWrapEntrypoint: true },
      { image: "e", name: "v", commands: { script: "s" } },
    ]);
    assert.deepEqual(services, [{ image: "nginx", name: "web", ports: [80], environment: { A: "b" } }]);
  });

  it("name the Service that the operator makes for the ports of a sidecar, and of no other", () => {
    const services = (spec: string) => argsOf(spec).containers.map(({ serviceName }) => serviceName);
    const beside = (sidecar: string) => `containers: [{image: a, runFlux: true, ports: [22]}, {image: b, ${sidecar}}]`;
    assert.deepEqual(services(beside("name: nginx, ports: [80, 443]")), [undefined, "nginx"]);
    assert.deepEqual(services("containers: [{image: a, name: web, ports: [80]}]"), [undefined]);
    assert.deepEqual(services(beside("name: web, command: c")), [undefined, undefined]);
    // The operator makes none of these.
    assert.deepEqual(services(beside("name: 1nginx, ports: [80]")), [undefined, undefined]);
    const taken = `network: {headlessName: nginx}\n${beside("name: nginx, ports: [80]")}`;
    assert.deepEqual(services(taken), [undefined, undefined]);
  });
});

describe("the fields of v1alpha2", () => {
  it("are listed by their paths, each once", () => {
    assert.equal(new Set(miniClusterManifestFields).size, miniClusterManifestFields.length);
    const deep = [
      "jobLabels",
      "containers[].secrets.*.key",
      "flux.bursting.clusters[].size",
      "pod.tolerations[].effect",
    ];
    for (const path of deep) assert.ok(miniClusterManifestFields.includes(`spec.${path}`), path);
  });

  it("are all known to the reader, and no field beside them is", () => {
    const unknown = (paths: readonly string[]) =>
      paths.filter((path) =>
        problemsIn(JSON.stringify(nested(path))).some((problem) => problem.includes("unknown field")),
      );
    assert.deepEqual(unknown(miniClusterManifestFields), []);
    const others = ["spec.containers[].existingVolumes", "spec.flux.container.imageVolume", "spec.suspend"];
    assert.deepEqual(unknown(others), others);
  });
});

/** A manifest with something at the path of a field. */
function nested(path: string): object {
  const content = path.split(".").reduceRight<unknown>((inner, step) => {
    if (step === "*") return { a: inner };
    const [name = "", list] = step.split("[");
    return { [name]: list === undefined ? inner : [inner] };
  }, "x");
  const head = { apiVersion: "flux-framework.org/v1alpha2", kind: "MiniCluster", metadata: { name: "demo" } };
  return { ...head, ...(content as object) };
}
