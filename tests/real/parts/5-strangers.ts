import assert from "node:assert/strict";
import { renderCurveCertificate } from "../../../provider/core/parse/curveCertificate";
import { Kube } from "../../sandbox/kube";
import { waitFor } from "../../sandbox/waiting";
import { lab, patience } from "../lab";
import { rowWithCluster } from "../rows";

describe("a follower with another certificate than the lead", () => {
  const test = rowWithCluster({ size: 2, interactive: true });

  test("is not let in and says so, until the lead has the same one", async (strangers) => {
    const { namespace } = strangers;
    const kube = new Kube(lab().api);
    const before = await strangers.ready(2);

    const configMap = { apiVersion: "v1", kind: "ConfigMap", name: "demo-entrypoint", namespace };
    const { "follower.sh": script = "" } = (await kube.get(configMap))["data"] as Record<string, string>;
    assert.match(script, /^ {2}rest 60$/m);
    // The message appears after a minute, which is long for a test.
    await kube.patch(configMap, { data: { "follower.sh": script.replace(/^ {2}rest 60$/m, "  rest 3") } });
    const other = Buffer.from(renderCurveCertificate("demo", Buffer.alloc(32, 7))).toString("base64");
    await kube.patch(
      { apiVersion: "v1", kind: "Secret", name: "demo-curve", namespace },
      { data: { "curve.cert": other } },
    );

    await strangers.successor(await strangers.deletePod(1));
    const says = /^minicluster: rank 1 has not joined for 60 s, .*old curve certificate.*: delete the pod/m;
    await waitFor("the follower to say so", async () => says.test(await strangers.logs(1)), patience, 200);
    assert.equal((await strangers.pod(1)).ready, false);
    assert.equal((await strangers.pod(0)).uid, before[0]?.uid);

    await strangers.deletePod(0);
    await strangers.ready(2, before);
    await strangers.hosts(2);
  });
});
