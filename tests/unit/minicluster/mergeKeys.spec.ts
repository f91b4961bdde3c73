import * as assert from "node:assert/strict";
import { mergeKeys } from "../../../provider/minicluster/mergeKeys";
import { clusterIfAny } from "../../support/sandboxHooks";
import { keyedLists } from "../../support/mergeSchema";

/** Keyed lists of the API server that are replaced as a whole all the same, with the reason. */
const replaced: Record<string, string> = {
  ownerReferences: "the Job controller writes the owners of its pods; a template has none that a patch could meet",
};

describe("the keys of lists in a pod template", function () {
  this.timeout(30_000);

  it("are those of the API server, wherever a list stands, and of no other list", async function () {
    const cluster = clusterIfAny();
    if (!cluster) return this.skip();
    const api = await cluster.kube.request("GET", "/openapi/v3/api/v1");
    const lists = keyedLists(api, "io.k8s.api.core.v1.PodTemplateSpec");
    for (const { owner, name, keys } of lists)
      if (!(name in replaced)) assert.deepEqual(mergeKeys[name] ?? [], keys, `${owner}.${name}`);
    const known = new Set(lists.map(({ name }) => name));
    for (const name of [...Object.keys(mergeKeys), ...Object.keys(replaced)]) assert.ok(known.has(name), name);
  });
});
