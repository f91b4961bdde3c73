import * as assert from "node:assert/strict";
import type { MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { containerOf, podOf } from "../../../support/pod";

const withSidecar = (sidecar: Partial<MiniClusterContainerArgs> = {}) =>
  podOf({ containers: [aContainer({ runFlux: true }), aContainer({ name: "side", ...sidecar })] });

describe("the container that runs Flux", () => {
  const main = containerOf(podOf(), "demo");

  it("is the only one that Kubernetes waits for", () =>
    assert.deepEqual(
      withSidecar().containers.map(({ name }) => name),
      ["demo"],
    ));

  it("runs the broker's script, whatever its own command is", () =>
    assert.deepEqual(main.command, ["bash", "/etc/minicluster/config/broker.sh"]));

  it("reads the size when it starts, and does not hold it", () =>
    assert.deepEqual(main.env, [
      { name: "MINICLUSTER_SIZE", valueFrom: { configMapKeyRef: { name: "demo-entrypoint", key: "size" } } },
    ]));

  it("makes its pod Ready by a startup probe, which never disturbs a job later", () => {
    assert.deepEqual(main.startupProbe, {
      exec: { command: ["bash", "/etc/minicluster/config/ready.sh"] },
      periodSeconds: 1,
      timeoutSeconds: 5,
      failureThreshold: 86_400,
    });
    assert.deepEqual([main.livenessProbe, main.readinessProbe], [undefined, undefined]);
  });

  it("has the user's variables, plain and from Secrets", () => {
    const container = aContainer({ environment: { A: "a" }, secrets: { B: { name: "s", key: "k" } } });
    assert.deepEqual(containerOf(podOf({ containers: [container] }), "demo").env?.slice(1), [
      { name: "A", value: "a" },
      { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
    ]);
  });

  it("has the user's image, directory, ports, resources and pull policy", () => {
    const container = aContainer({
      ...{ image: "i", workingDir: "/w", ports: [80, 443], pullAlways: true },
      resources: { limits: { "nvidia.com/gpu": "8" }, requests: { cpu: "1" } },
    });
    const { image, workingDir, ports, imagePullPolicy, resources } = containerOf(
      podOf({ containers: [container] }),
      "demo",
    );
    assert.deepEqual([image, workingDir, imagePullPolicy], ["i", "/w", "Always"]);
    assert.deepEqual(ports, [
      { containerPort: 80, protocol: "TCP" },
      { containerPort: 443, protocol: "TCP" },
    ]);
    assert.deepEqual(resources, { limits: { "nvidia.com/gpu": "8" }, requests: { cpu: "1" } });
  });

  it("says nothing about what the user has not said", () => {
    for (const key of ["workingDir", "ports", "resources", "lifecycle", "restartPolicy"])
      assert.ok(!(key in main), key);
  });
});

describe("a sidecar", () => {
  it("is a native one: an init container that stays, and that the end of Flux ends", () => {
    const pod = withSidecar();
    assert.deepEqual(
      pod.initContainers?.map(({ name, restartPolicy }) => [name, restartPolicy]),
      [
        ["flux-view", undefined],
        ["side", "Always"],
      ],
    );
  });

  it("with a command or a script starts by our script", () => {
    const command = ["bash", "/etc/minicluster/config/side.start.sh"];
    assert.deepEqual(containerOf(withSidecar(), "side").command, command);
    const script = { command: undefined, commands: { script: "x" } };
    assert.deepEqual(containerOf(withSidecar(script), "side").command, command);
  });

  it("without a command starts as its image does", () =>
    assert.equal(containerOf(withSidecar({ command: undefined }), "side").command, undefined));

  it("has no probe, which would keep the pod from being Ready", () =>
    assert.equal(containerOf(withSidecar(), "side").startupProbe, undefined));

  it("has its own environment and not the size", () => {
    assert.equal(containerOf(withSidecar(), "side").env, undefined);
    assert.deepEqual(containerOf(withSidecar({ environment: { A: "a" } }), "side").env, [{ name: "A", value: "a" }]);
  });
});

describe("the container of the view", () => {
  it("copies Flux before anything else starts", () => {
    const [first] = withSidecar().initContainers ?? [];
    assert.deepEqual([first?.name, first?.command], ["flux-view", ["bash", "/etc/minicluster/config/view.sh"]]);
    assert.equal(first?.restartPolicy, undefined, "it ends, so it is no sidecar");
  });

  it("is not there when the image brings Flux itself", () =>
    assert.equal(podOf({ flux: { container: { disable: true } } }).initContainers, undefined));

  it("is as the user wants it", () => {
    const container = {
      ...{ image: "v", name: "view", workingDir: "/w", pullAlways: true },
      resources: { limits: { cpu: "1" } },
      securityContext: { runAsUser: 0 },
    };
    const view = containerOf(podOf({ flux: { container } }), "view");
    assert.deepEqual([view.image, view.workingDir, view.imagePullPolicy], ["v", "/w", "Always"]);
    assert.deepEqual(view.resources, { limits: { cpu: "1" } });
    assert.deepEqual(view.securityContext, { allowPrivilegeEscalation: false, runAsUser: 0 });
  });
});

describe("the hooks of a container", () => {
  const lifecycle = (lifeCycle: MiniClusterContainerArgs["lifeCycle"]) =>
    containerOf(podOf({ containers: [aContainer({ lifeCycle })] }), "demo").lifecycle;
  const exec = (...command: string[]) => ({ exec: { command } });
  const cases: [name: string, lifeCycle: MiniClusterContainerArgs["lifeCycle"], want: object | undefined][] = [
    ["are none where none are given", {}, undefined],
    ["run plain words as they are", { postStartExec: "touch /ready" }, { postStart: exec("touch", "/ready") }],
    ["leave anything else to bash", { preStopExec: "a && b" }, { preStop: exec("bash", "-c", "a && b") }],
    [
      "stand side by side",
      { postStartExec: "a", preStopExec: "$B" },
      { postStart: exec("a"), preStop: exec("bash", "-c", "$B") },
    ],
  ];
  for (const [name, lifeCycle, want] of cases)
    it(name, () => {
      const found = lifecycle(lifeCycle);
      assert.deepEqual(found && JSON.parse(JSON.stringify(found)), want);
    });

  it("are those of a sidecar, too", () =>
    assert.deepEqual(
      JSON.parse(JSON.stringify(containerOf(withSidecar({ lifeCycle: { preStopExec: "bye" } }), "side").lifecycle)),
      { preStop: exec("bye") },
    ));
});

describe("a sidecar without our script", () => {
  const start = (command: string | undefined) =>
    containerOf(withSidecar({ command, noWrapEntrypoint: true }), "side").command;

  it("starts as its command says", () => {
    assert.deepEqual(start("serve --port 80"), ["serve", "--port", "80"]);
    assert.deepEqual(start("exec serve $PORT"), ["bash", "-c", "exec serve $$PORT"]);
  });

  it("starts as its image does where it has no command", () => assert.equal(start(undefined), undefined));
});
