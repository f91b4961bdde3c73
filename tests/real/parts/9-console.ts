import assert from "node:assert/strict";

import type { MiniClusterArgs } from "../../../provider";
import { realContainer } from "../clusters";
import { as, serving, showsHosts } from "../consoleHosts";
import { rowWithCluster } from "../rows";
import { imageNames } from "../../sandbox/real";
import { runRestfulClient, secretKey, seenByRestfulClient, tokenOf } from "../../support/consoleServer";
import { aManifest, readOne } from "../../support/manifestTexts";

const users = ["ann", "bob"];

describe("the console of an instance", () => {
  const tokens = Object.fromEntries([...users, "root"].map((user) => [user, tokenOf(user)]));
  const seenByClient = seenByRestfulClient(["demo-0", "demo-1", "demo-2"]);
  const test = rowWithCluster({
    interactive: true,
    size: 3,
    maxSize: 4,
    network: { policy: "pods", affinity: "none" },
    containers: [realContainer({ command: undefined })],
    console: { users, admins: ["root"], tokens, secretKey },
  });

  test("serves the published client of flux-restful-api", async (cluster) => {
    await cluster.ready(3);
    const url = await serving(cluster, 4);
    assert.deepEqual(await runRestfulClient(url, "ann"), seenByClient);
    const log = await cluster.logs();
    assert.match(log, /^minicluster: console: ann submits job /m);
    assert.ok(!log.includes(tokenOf("ann")));
  });

  test("shows a host that is away, and goes on in the next pod of the lead broker", async (cluster) => {
    const former = await cluster.deletePod(0);
    await cluster.successor(former);
    await cluster.ready(3);
    const url = await serving(cluster, 4);
    await showsHosts(url, "bob", { "demo-0": "free", "demo-1": "free", "demo-2": "free", "demo-3": "down" });
    assert.equal((await fetch(`${url}/v1/hosts`)).status, 401);
  });

  /** A cluster of a v1alpha1 manifest, but that its image brings no Flux. */
  const ofManifest = (fields: string): Partial<MiniClusterArgs> => {
    const { args } = readOne(aManifest(fields, "v1alpha1"));
    return { ...args, flux: { ...args.flux, container: { disable: false } } };
  };
  const containers = `containers: [{image: "${imageNames.base}"}]`;
  const server = `{secretKey: ${secretKey}, username: root, token: ${tokenOf("root")}}`;
  const people = `[{name: ann, password: ${tokenOf("ann")}}]`;

  const older = rowWithCluster(ofManifest(`{size: 3, ${containers}, fluxRestful: ${server}, users: ${people}}`));
  older(
    "takes the place of the RESTful server in a v1alpha1 manifest, and shuts the instance down",
    async (cluster) => {
      await cluster.ready(3);
      const url = await serving(cluster, 3, "ann", 5000);
      assert.deepEqual(await runRestfulClient(url, "ann"), seenByClient);
      assert.equal((await fetch(`${url}/v1/service/stop`, as("ann", "POST"))).status, 403);
      assert.deepEqual(await runRestfulClient(url, "root", "stop"), { Message: "The instance shuts down." });
      assert.equal((await cluster.ended()).verdict, "Complete");
    },
  );

  const withoutCommand = ofManifest(`{size: 2, ${containers}}`);
  const ownTokens = { fluxuser: tokenOf("fluxuser") };
  const bare = rowWithCluster({ ...withoutCommand, console: { ...withoutCommand.console, tokens: ownTokens } });
  bare("comes up for a v1alpha1 manifest without a command", async (cluster) => {
    await cluster.ready(2);
    const url = await serving(cluster, 2, "fluxuser", 5000);
    const user = await fetch(`${url}/v1/user`, as("fluxuser"));
    assert.deepEqual(await user.json(), { name: "fluxuser", role: "admin" });
    assert.match(await (await fetch(url)).text(), /<title>Flux instance/);
  });
});
