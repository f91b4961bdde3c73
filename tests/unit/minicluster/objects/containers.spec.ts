import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { casesOf, valueIn, wanted } from "../../../support/cases";
import { aContainer } from "../../../support/fixtures";
import { containerOf, podOf } from "../../../support/pod";

const withSidecar = (sidecar: Partial<MiniClusterContainerArgs>): Partial<MiniClusterArgs> => ({
  containers: [aContainer({ runFlux: true }), aContainer({ name: "side", ...sidecar })],
});
/** Without properties that say nothing: they never reach the API server. */
const sent = (value: unknown): unknown => value && JSON.parse(JSON.stringify(value));

describe("a container", () => {
  it("has the user's image, directory, ports, resources and pull policy, and the view has them, too", () => {
    const settings = { image: "i", workingDir: "/w", pullAlways: true, resources: { limits: { cpu: "8" } } };
    const container = aContainer({ ...settings, ports: [80] });
    const pod = podOf({ containers: [container], flux: { container: { ...settings, name: "view" } } });
    for (const name of ["demo", "view"]) {
      const { image, workingDir, imagePullPolicy, resources } = containerOf(pod, name);
      assert.deepEqual([image, workingDir, imagePullPolicy, resources], ["i", "/w", "Always", settings.resources]);
    }
    assert.deepEqual(containerOf(pod, "demo").ports, [{ containerPort: 80, protocol: "TCP" }]);
    const never = podOf({ containers: [aContainer({ imagePullPolicy: "Never" })] });
    assert.equal(containerOf(never, "demo").imagePullPolicy, "Never");
  });

  const hooks = casesOf(String.raw`
{}
  preStop: {exec: {command: [bash, /etc/minicluster/config/drain.sh]}}
{preStopExec: bye now}
  preStop: {exec: {command: [bash, /etc/minicluster/config/drain.sh, bye, now]}}
{postStartExec: touch /ready, preStopExec: "$B"}
  postStart: {exec: {command: [touch, /ready]}}
  preStop: {exec: {command: [bash, /etc/minicluster/config/drain.sh, bash, -c, "$B"]}}
`);
  for (const each of hooks)
    it(`drains its rank before the user's own hook at the end: ${each.title}`, () => {
      const lifeCycle = valueIn(each.given) as MiniClusterContainerArgs["lifeCycle"];
      const { lifecycle } = containerOf(podOf({ containers: [aContainer({ lifeCycle })] }), "demo");
      assert.deepEqual(sent(lifecycle), valueIn(each.want.join("\n")));
    });

  const plainHooks = casesOf(String.raw`
{}
  null
{postStartExec: touch /ready, preStopExec: a && b}
  {postStart: {exec: {command: [touch, /ready]}}, preStop: {exec: {command: [bash, -c, a && b]}}}
`);
  for (const each of plainHooks)
    it(`runs hooks as they are, where nothing is drained and in a sidecar: ${each.title}`, () => {
      const lifeCycle = valueIn(each.given) as MiniClusterContainerArgs["lifeCycle"];
      const main = podOf({ drainTimeoutSeconds: 0, containers: [aContainer({ lifeCycle })] });
      for (const container of [containerOf(main, "demo"), containerOf(podOf(withSidecar({ lifeCycle })), "side")])
        assert.deepEqual(sent(container.lifecycle) ?? null, wanted(each));
    });

  it("that is a sidecar without our script starts as its command says", () => {
    const start = (command: string) =>
      containerOf(podOf(withSidecar({ command, noWrapEntrypoint: true })), "side").command;
    assert.deepEqual(start("serve --port 80"), ["serve", "--port", "80"]);
    assert.deepEqual(start("exec serve $PORT"), ["bash", "-c", "exec serve $$PORT"]);
  });
});
