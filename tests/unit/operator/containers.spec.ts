import * as assert from "node:assert/strict";
import { argsOf } from "../../support/manifestTexts";
import { casesOf, wanted } from "../../support/cases";

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
      services: [{image: nginx, name: web, ports: [80], environment: {A: b}}]`);
    assert.deepEqual(containers, [
      { image: "a", runFlux: true },
      { image: "b", name: "two", command: "sleep", commands: { init: "i", post: "q", servicePre: "p" } },
      { image: "c", name: "z", command: ":", commands: { post: "q" } },
      { image: "d", name: "w", noWrapEntrypoint: true },
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
