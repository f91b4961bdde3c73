import * as assert from "node:assert/strict";
import { type Obj, unknown } from "../rpc/values";
import { randomBackend } from "./provider";

const urn = (type: string) => `urn:pulumi:dev::spec::random:index/${type[0]?.toLowerCase()}${type.slice(1)}:${type}::x`;
const create = async (type: string, inputs: Obj, preview = false) =>
  (await randomBackend("1.0.0").create({ urn: urn(type), inputs, preview, timeoutSeconds: 0 })).properties;

describe("the random stand-in", () => {
  it("makes other bytes each time", async () => {
    const [a, b] = await Promise.all([create("RandomBytes", { length: 8 }), create("RandomBytes", { length: 8 })]);
    assert.notDeepEqual(a, b);
  });

  it("knows no values in a preview", async () => {
    const { hex, length } = await create("RandomBytes", { length: 16 }, true);
    assert.equal(hex, unknown);
    assert.equal(length, 16);
  });

  it("replaces a value when its keepers change, and only then", async () => {
    const backend = randomBackend("1.0.0");
    const inputs = { length: 8, keepers: { generation: "1" } };
    const { id, properties: olds } = await backend.create({
      urn: urn("RandomBytes"),
      inputs,
      preview: false,
      timeoutSeconds: 0,
    });
    const diff = (news: Obj) => backend.diff({ id, urn: urn("RandomBytes"), olds, news, ignoreChanges: [] });
    assert.equal((await diff(inputs)).changed, false);
    assert.deepEqual((await diff({ ...inputs, keepers: { generation: "2" } })).replaces, ["keepers"]);
  });
});
