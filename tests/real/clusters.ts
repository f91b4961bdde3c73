import assert from "node:assert/strict";

import { MiniCluster, type MiniClusterArgs, type MiniClusterContainerArgs, MiniClusterWait } from "../../provider";
import { imageNames } from "../sandbox/real";
import { type ClusterUnderTest, leftIn, withCluster } from "../support/clusters";
import { createStack, type TestStack } from "../support/engine";
import { aMiniClusterArgs } from "../support/fixtures";
import { sharedCluster } from "../support/sandboxHooks";
import { atOnce, patience } from "./lab";
import { type Look, lookAt, tellWhatWasSeen } from "./look";

/** Arguments with images that the nodes have. */
export function realArgs(args: Partial<MiniClusterArgs>): Partial<MiniClusterArgs> {
  const flux = { ...args.flux, container: { image: imageNames.view, ...args.flux?.container } };
  return { waitTimeoutSeconds: patience / 1000, containers: [realContainer()], ...args, flux };
}

/** A container of the sandbox's base image. */
export function realContainer(args: Partial<MiniClusterContainerArgs> = {}): MiniClusterContainerArgs {
  return { image: imageNames.base, command: "echo hello world", ...args };
}

/** A MiniCluster with a separate stack. */
export type RealCluster = ClusterUnderTest & Look;

/** Runs a test with a MiniCluster that it changes; destroys it at the end, however the test ends. */
export async function withRealCluster(
  args: Partial<MiniClusterArgs>,
  body: (cluster: RealCluster) => Promise<void>,
): Promise<void> {
  const test = async (under: ClusterUnderTest) => {
    const look = lookAt(under.namespace);
    const change: ClusterUnderTest["change"] = (changed) =>
      under.change(typeof changed === "function" ? changed : realArgs(changed));
    try {
      await body({ ...under, ...look, change });
    } catch (error) {
      await tellWhatWasSeen(look);
      throw error;
    }
  };
  // With it the component also finds the reasons of pods that do not become Ready.
  const config = { "kubernetes:kubeconfig": sharedCluster().kubeconfigPath };
  await withCluster(realArgs(args), test, { config });
}

/** What a cluster among others is made from. */
export interface Member extends Partial<MiniClusterArgs> {
  /** Labels of its namespace. */
  labels?: Record<string, string>;
}

/**
 * Clusters for the tests of a suite, created by one `up` before them and destroyed by one `destroy` after them, each
 * under the name "demo" in a separate namespace: several start at the same time, because most of their time is
 * waiting.
 */
export function together<Name extends string>(all: Record<Name, Member>): (name: Name) => Look {
  const looks = new Map<string, Look>();
  const asked = new Set<Look>();
  let stack: TestStack | undefined;

  before(async () => {
    const { kubeconfigPath, newNamespace } = sharedCluster();
    const members: [name: string, args: Partial<MiniClusterArgs>][] = [];
    for (const [name, { labels, ...args }] of Object.entries<Member>(all)) {
      const namespace = await newNamespace(labels);
      looks.set(name, lookAt(namespace));
      members.push([name, { namespace, ...realArgs(args) }]);
    }
    const program = (count: number) => () => {
      // Each test waits for its own condition.
      for (const [name, args] of members.slice(0, count))
        new MiniCluster(name, aMiniClusterArgs({ wait: MiniClusterWait.None, ...args }));
      return Promise.resolve({});
    };
    stack = await createStack({ program: program(0), kubeconfigPath });
    for (let count = 0; count < members.length; count += atOnce) {
      stack.program = program(count + atOnce);
      await stack.up();
      const started = [...looks.values()].slice(count, count + atOnce);
      if (count + atOnce < members.length) await Promise.all(started.map((look) => look.settled()));
    }
  });

  afterEach(async function () {
    if (this.currentTest?.state === "failed") for (const look of asked) await tellWhatWasSeen(look);
    asked.clear();
  });

  after(async () => {
    await stack?.destroy();
    stack?.dispose();
    for (const { namespace } of looks.values()) assert.deepEqual(await leftIn(namespace), []);
  });

  return (name) => {
    const look = looks.get(name);
    assert.ok(look, `there is no cluster ${name}`);
    asked.add(look);
    return look;
  };
}
