import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { MiniClusterArgs } from "../../provider";
import { changes, failure, messages, namedChanges, uids, withCluster } from "../support/clusters";
import { aPool } from "../support/fixtures";

const pack = path.resolve(__dirname, "../../examples/cost-policy");

/** What the CLI has beside it to run a policy pack: the program of the SDK, as the pack finds it. */
const analyzer = `#!/bin/sh
exec node "$(node -p "require.resolve('@pulumi/pulumi/cmd/run-policy-pack')")" "$@"
`;

describe("The cost of a cluster", () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "policy-"));
  const inherited = process.env["PATH"];
  before(() => {
    fs.writeFileSync(path.join(directory, "pulumi-analyzer-policy"), analyzer, { mode: 0o755 });
    process.env["PATH"] = `${directory}${path.delimiter}${inherited}`;
  });
  after(() => {
    process.env["PATH"] = inherited;
    fs.rmSync(directory, { recursive: true });
  });

  const priced = (size: number): Partial<MiniClusterArgs> => ({
    size,
    maxSize: 4,
    pool: aPool({ pricePerHour: 30, currency: "USD" }),
    wait: "none",
  });

  /** Options of an operation with the policy pack of the example. */
  function withPack(limits: object, forecasts: object = {}): object {
    const file = path.join(directory, "limits.json");
    fs.writeFileSync(file, JSON.stringify({ "price-per-hour": limits, "queue-forecast": forecasts }));
    return { policyPacks: [pack], policyPackConfigs: [file] };
  }

  it("is limited by the policy pack of the example, for a whole stack", () =>
    withCluster(priced(3), async ({ stack, change }) => {
      const limited = withPack({ maxPricePerHour: 100 });
      await stack.up(limited);
      change(priced(4));
      const { stdout } = (await failure(stack.up(limited))).result;
      assert.match(stdout, /\[mandatory\] +price-per-hour/);
      assert.match(stdout, /the stack may cost 120\.00 per hour, above 100 \(demo: 120\)/);
      await stack.up(withPack({ maxPricePerHour: 120 }));

      change({ size: 1, wait: "none" });
      const { stdout: unpriced } = (await failure(stack.preview(limited))).result;
      assert.match(unpriced, /demo has no price: set the price of its pools/);
      await stack.preview(withPack({ requirePrices: false }));
    }));

  it("needs a forecast of the queue for each change, if the policy pack of the example requires one", () =>
    withCluster({ size: 2, maxSize: 4 }, async ({ stack, change }) => {
      const required = withPack({ requirePrices: false }, { requireForecast: true });
      const refusal = async () => (await failure(stack.preview(required))).result.stdout;
      await stack.up(required);
      change({ size: 3, maxSize: 4 });
      // No broker runs in a simulated pod.
      assert.match(await refusal(), /demo has no forecast of its queue: the queue could not be read/);
      change({ size: 2, maxSize: 4, forecast: false });
      assert.match(await refusal(), /demo has no forecast of its queue: forecast is false/);
      change({ size: 2, maxSize: 4 });
      await stack.preview(required);
    }));

  it("is an output of the stack, and the currency is in the preview of a resize", () =>
    withCluster(priced(2), async ({ stack, change }) => {
      await stack.up();
      const { resources = [] } = await stack.exportState();
      const outputs = resources.map(({ outputs }) => outputs as Record<string, unknown> | undefined);
      assert.ok(outputs.some((each) => each?.["largestPricePerHour"] === 60));
      change(priced(3));
      const { diagnostics } = await stack.preview();
      assert.match(diagnostics.map(({ message }) => message).join("\n"), /price per hour 60 => 90 USD/);
    }));

  it("lets jobs move to other clusters without a restart of a broker, once place is added", () =>
    withCluster(bursting(undefined), async ({ stack, change, pods, object }) => {
      await stack.up();
      const before = uids(await pods());
      change(bursting({ order: "price" }));
      const added = await stack.preview();
      assert.deepEqual(changes(added), ["create ConfigMap"]);
      assert.match(messages(added, "info").join("\n"), /jobs that wait 120 s in demo move to near or far/);
      await stack.up();
      const { data } = (await object("ConfigMap", "demo-programs")) as unknown as { data: Record<string, string> };
      const { place } = JSON.parse(data["lead.json"] ?? "") as { place: object };
      const queues = ["demo", "near", "far"].map((name, index) => ({ name, cluster: name, price: [0, 2, 3][index] }));
      assert.deepEqual(place, { queues, order: "price", afterSeconds: 120, giveUpSeconds: 600 });

      change(bursting({ order: "listed", afterSeconds: 30, clusters: ["far"] }));
      const steps = ["create-replacement", "delete-replaced", "replace"];
      assert.deepEqual(
        namedChanges(await stack.preview()),
        steps.map((step) => `${step} ConfigMap demo-programs`),
      );
      await stack.up();
      change(bursting(undefined));
      assert.deepEqual(changes(await stack.preview()), ["delete ConfigMap"]);
      await stack.up();
      assert.deepEqual(uids(await pods()), before);
    }));

  function bursting(place: NonNullable<MiniClusterArgs["bursting"]>["place"]): Partial<MiniClusterArgs> {
    const clusters = Object.entries({ near: 2, far: 3 }).map(([name, pricePerHour]) => ({
      name,
      maxSize: 2,
      pricePerHour,
    }));
    return {
      size: 2,
      interactive: true,
      bursting: { clusters, expose: { endpoint: { address: "203.0.113.7" } }, place },
    };
  }
});
