import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { becomes, elastic, sizeOf, withAgent } from "../support/agent";
import { type ClusterUnderTest, failure, messages, withCluster } from "../support/clusters";
import { denyIn } from "../support/policies";
import { waitFor } from "../sandbox/waiting";

/** Has the API server refuse the agents' pods of a namespace, as a quota or a policy of its owner does. */
function refuseAgents(namespace: string): Promise<() => Promise<void>> {
  // No dry run shows it, like a policy that comes later.
  const isAgent = "has(object.metadata.labels) && 'minicluster/autoscale' in object.metadata.labels";
  const expression = `(has(request.dryRun) && request.dryRun) || !(${isAgent})`;
  const pods = { apiGroups: [""], operations: ["CREATE"], resources: ["pods"] };
  return denyIn(namespace, { ...pods, expression, message: "no agents here" });
}

describe("`up` of a cluster whose size follows its queue", () => {
  it("waits for min pods after a refresh, while pods of the agent's size wait for nodes", () => {
    const wide = { ...elastic, autoscale: { ...elastic.autoscale, max: 200 }, waitTimeoutSeconds: 20 };
    return withCluster(wide, async (cluster) => {
      await cluster.stack.up();
      await withAgent(cluster, async ({ setDemand }) => {
        setDemand({ allocated: 1, pending: [{ id: "f1", hosts: 199 }] });
        await becomes(cluster, 200);
      });
      await cluster.stack.refresh();
      await cluster.stack.up();
      assert.equal(await sizeOf(cluster), 200);
    });
  });

  it("sets the size that is given again while the agent still runs, which changes it no more", () =>
    withCluster({ ...elastic, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      await withAgent(cluster, async ({ setDemand, log }) => {
        setDemand({ allocated: 1, pending: [{ id: "f1", hosts: 1 }] });
        await becomes(cluster, 2);
        // Every size that the Job has while the engine works, because the agent loses its right in the end.
        const sizes: (number | undefined)[] = [];
        let over = false;
        const watching = (async () => {
          for (; !over; await sleep(20)) sizes.push(await sizeOf(cluster));
        })();
        cluster.change({ interactive: true, size: 4, maxSize: 4 });
        await cluster.stack.up();
        over = true;
        await watching;
        assert.deepEqual(
          sizes.filter((size, place) => size !== sizes[place - 1]),
          [2, 4],
        );
        // The engine may delete its Role before its next round.
        const hasSeen = () => /^(size \d: Pulumi sets it|skipped this round: .* 403: .*)$/m.test(log());
        await waitFor("the agent's next round", hasSeen, 30_000);
        assert.equal((await cluster.pods()).length, 4);
      });

      // The marker of the size that is given does not outlast it.
      cluster.change({ ...elastic, maxSize: 4 });
      await cluster.stack.up();
      await withAgent(cluster, async ({ setDemand }) => {
        setDemand({ allocated: 3 });
        await becomes(cluster, 3);
      });
    }));

  it("fails where the agent, new or changed, is not Ready in time, with the reason, unless nothing waits", () => {
    const slow = { ...elastic, waitTimeoutSeconds: 8 };
    const test = async (cluster: ClusterUnderTest) => {
      const fails = async () => {
        const { message, result } = await failure(cluster.stack.up());
        assert.match(message, /the agent of demo is not Ready, and without it the size .*: .*no agents here/);
        assert.match(
          message,
          /kubectl .*describe .* && kubectl .*logs --namespace \S+ deployment\/demo-autoscale --tail 5/,
        );
        assert.match(messages(result).join(), /still waiting for the agent of demo: .*no agents here/);
      };
      const refusing = async (body: () => Promise<unknown>) => {
        const allowAgain = await refuseAgents(cluster.namespace);
        await body().finally(allowAgain);
      };
      await refusing(async () => {
        await fails();
        cluster.change({ ...slow, wait: "none" });
        await cluster.stack.up();
      });
      cluster.change({ ...slow, waitTimeoutSeconds: 30 });
      await cluster.stack.up();
      // The former pod is Ready all the time.
      cluster.change({ ...slow, autoscale: { ...slow.autoscale, cooldownSeconds: 1 } });
      await refusing(fails);
      await cluster.stack.up();
    };
    return withCluster(slow, test, { reads: true });
  });
});
