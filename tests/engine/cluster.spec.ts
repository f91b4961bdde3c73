import assert from "node:assert/strict";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { changes, failure, leftIn, readyIn, withStack } from "../support/clusters";
import { aContainer } from "../support/fixtures";
import { exampleProgram } from "../support/programs";
import { sharedCluster } from "../support/sandboxHooks";

describe("A MiniCluster in the API server", () => {
  it("refuses wrong arguments before anything is created, each at its property", () =>
    withStack(async (stack, namespace) => {
      const wrong = {
        namespace,
        size: 9,
        maxSize: 3,
        tasks: -1,
        sise: 2,
        containers: [{ ...aContainer({ ports: [0] }), commands: { script: "x" } }],
      } as MiniClusterArgs;
      stack.program = () => ({ cluster: new MiniCluster("demo", wrong).jobName });
      const error = await failure(stack.up());
      for (const line of [
        "size: size 9 is above maxSize 3; raise maxSize or lower size",
        "tasks: -1 must be an integer from 1 to 2147483647",
        "sise: unknown property; did you mean size?",
        "containers[0].ports[0]: 0 must be an integer from 1 to 65535",
        "containers[0].commands.script: script replaces command; keep one of them",
      ])
        assert.ok(error.message.includes(line), `${line}\n--- in ---\n${error.message}`);
      assert.doesNotMatch(error.message, /__pulumi|propertyPath|provider\//);
      assert.deepEqual(await leftIn(namespace), []);
      assert.ok(!error.result.steps.some(({ type }) => type.includes("kubernetes") || type.includes("minicluster")));
    }));
});

describe("An example", () => {
  const examples = { hello: 1, lammps: 4, interactive: 2, autoscale: 1, manifest: 2 };
  for (const [name, size] of Object.entries(examples))
    it(`${name} comes up, shows no change afterwards, and goes`, () =>
      withStack(
        async (stack, namespace) => {
          await stack.up();
          const pods = await sharedCluster().kube.podsOfJob(namespace, name);
          assert.deepEqual([pods.length, readyIn(pods)], [size, size]);
          assert.deepEqual(changes(await stack.preview()), []);
        },
        { program: exampleProgram(name) },
      ));
});
