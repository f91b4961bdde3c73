import assert from "node:assert/strict";
import { Study, type StudyArgs } from "../../provider";
import { leftIn, withStack } from "../support/clusters";
import { OperationError, type OperationResult, type TestStack } from "../support/engine";
import { aStudyArgs } from "../support/fixtures";
import { ownPlugin } from "../support/plugin";
import { remote } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

const text =
  "study demo: 8 runs on at most 2 hosts; 8 to run; at most 12.0 node-hours by timeoutSeconds and one attempt";

const said = ({ diagnostics }: OperationResult) =>
  diagnostics.map(({ message }) => message.trim()).filter((message) => message.startsWith("study "));

type Make = (args: StudyArgs) => unknown;
const ways: [way: string, make: Make][] = [
  ["made by the program", (args) => new Study("demo", args)],
  ["made by the plugin", (args) => remote("Study", "demo", { ...args })],
];

/** Runs a test with a study whose pods are simulated, and so run no program. */
const withStudy = (make: Make, body: (stack: TestStack, namespace: string) => Promise<void>) =>
  withStack(
    async (stack, namespace) => {
      stack.program = () => make(aStudyArgs({ namespace, waitTimeoutSeconds: 30 }));
      await body(stack, namespace);
    },
    { plugins: ownPlugin(), config: { "kubernetes:kubeconfig": sharedCluster().kubeconfigPath } },
  );

for (const [way, make] of ways)
  describe(`a study ${way}`, () => {
    it("shows in a preview what it runs, on a cluster that follows the runs", () =>
      withStudy(make, async (stack) => {
        const result = await stack.preview();
        assert.deepEqual(said(result), [text]);
        const types = result.changedSteps.map(({ op, type }) => `${op} ${type.split(":").at(-1)}`);
        for (const step of ["create Study", "create MiniCluster", "create StudyRuns", "create Deployment"])
          assert.ok(types.includes(step), step);
      }));

    it("is refused with all that is wrong before anything is created", () =>
      withStudy(make, async (stack, namespace) => {
        stack.program = () => make(aStudyArgs({ namespace, deadlineSeconds: 0 }, { sizes: [2, 2], repeats: 0 }));
        const error = await stack.up().then(() => assert.fail("up has succeeded"), String);
        for (const line of [
          "Study demo: invalid arguments, nothing was created\n",
          "  sizes[1]: 2 is listed twice; use repeats for more runs",
          "  repeats: 0 must be an integer from 1 to 1000",
          "  cluster.deadlineSeconds: 0 must be an integer from 1 to 9223372036",
        ])
          assert.ok(error.includes(line), `${line}\n${error}`);
        assert.deepEqual(await leftIn(namespace), []);
      }));
  });

describe("a study whose lead broker does not answer", () => {
  it("waits for it, keeps its state when it is interrupted, and goes on with the next up", () =>
    withStudy(ways[0]![1], async (stack, namespace) => {
      const waits = async (operation: "create" | "update") => {
        let waiting: () => void = () => undefined;
        const isWaiting = new Promise<void>((resolve) => (waiting = resolve));
        const up = stack.start("up", {
          onEvent: ({ diagnosticEvent }) => {
            if (diagnosticEvent?.message.includes("waiting for the lead broker: ")) waiting();
          },
        });
        const ended = up.result.then(
          () => assert.fail("up has succeeded"),
          (error: unknown) => error,
        );
        await isWaiting;
        const { changedSteps } = await up.interrupt();
        assert.ok(changedSteps.some(({ op, type }) => op === operation && type.endsWith(":StudyRuns")));
        const error = await ended;
        assert.ok(error instanceof OperationError);
        const reason = "8 runs have no result: interrupted, and they continue in the instance";
        assert.ok(error.message.includes(`study demo: ${reason}; the next pulumi up continues with them`));
      };
      await waits("create");
      const { resources = [] } = await stack.exportState();
      const runs = resources.find(({ type }) => type === "minicluster:index:StudyRuns");
      // In a state a secret is a map with this key of Pulumi's, and here, where the state is exported, its value.
      for (const part of ["inputs", "outputs"]) {
        const { connection } = runs?.[part] as { connection: object };
        assert.deepEqual(Object.keys(connection).sort(), ["4dabf18193072939515e22adb298388d", "plaintext"], part);
      }
      const preview = await stack.preview();
      assert.deepEqual(said(preview), [text]);
      assert.deepEqual(preview.summary.create, undefined);
      await waits("update");
      await stack.destroy();
      assert.deepEqual(await leftIn(namespace), []);
    }));
});
