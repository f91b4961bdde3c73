import * as assert from "node:assert/strict";
import { itemKey, mergeKeys } from "../../../provider/minicluster/mergeKeys";
import { clusterIfAny } from "../../support/sandboxHooks";
import { type KeyedList, keyedLists } from "../../support/mergeSchema";

/** Keyed lists of the API server that are replaced as a whole all the same, with the reason. */
const replaced: Record<string, string> = {
  ownerReferences: "the Job controller writes the owners of its pods; a template has none that a patch could meet",
};

describe("the keys of lists in a pod template", function () {
  this.timeout(30_000);

  let lists: KeyedList[];
  before(async function () {
    const cluster = clusterIfAny();
    if (!cluster) return this.skip();
    lists = keyedLists(await cluster.kube.request("GET", "/openapi/v3/api/v1"), "io.k8s.api.core.v1.PodTemplateSpec");
  });

  it("are those of the API server, wherever a list stands", () => {
    for (const { owner, name, keys } of lists.filter((list) => list.keys.length > 0))
      if (!(name in replaced)) assert.deepEqual(mergeKeys[name], keys, `${owner}.${name}`);
  });

  it("are of lists that the API server has", () => {
    const known = new Set(lists.map(({ name }) => name));
    for (const name of [...Object.keys(mergeKeys), ...Object.keys(replaced)]) assert.ok(known.has(name), name);
  });

  it("are of no list that has none elsewhere in a pod template", () => {
    for (const { owner, name, keys } of lists)
      if (keys.length === 0) assert.ok(!(name in mergeKeys), `${owner}.${name}`);
  });
});

describe("the key of an item", () => {
  const ports = mergeKeys.ports ?? [];
  const cases: [name: string, item: Record<string, unknown>, keys: readonly string[], want: string | undefined][] = [
    ["is the value of its key", { name: "a", image: "b" }, ["name"], '["a"]'],
    ["is the values of all of its keys", { containerPort: 80, protocol: "UDP" }, ports, '[80,"UDP"]'],
    ["has what Kubernetes takes for the protocol", { containerPort: 80 }, ports, '[80,"TCP"]'],
    ["is not there without a value", { image: "b" }, ["name"], undefined],
    ["is not there with one of two values", { protocol: "TCP" }, ports, undefined],
    ["is not there where a value is no plain one", { name: { a: 1 } }, ["name"], undefined],
  ];
  for (const [name, item, keys, want] of cases) it(name, () => assert.equal(itemKey(item, keys), want));

  it("tells numbers from texts", () =>
    assert.notEqual(itemKey({ name: 1 }, ["name"]), itemKey({ name: "1" }, ["name"])));
});
