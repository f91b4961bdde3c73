import * as assert from "node:assert/strict";
import { isSecret, type Obj, unknown, unwrap } from "../rpc/values";
import { randomBackend } from "./provider";

const urn = (type: string) => `urn:pulumi:dev::spec::random:index/${type[0]?.toLowerCase()}${type.slice(1)}:${type}::x`;
const create = async (type: string, inputs: Obj, preview = false) =>
  (await randomBackend("1.0.0").create({ urn: urn(type), inputs, preview, timeoutSeconds: 0 })).properties;

describe("the random stand-in", () => {
  it("makes secret bytes, as base64 and as hex", async () => {
    const { base64, hex, length } = await create("RandomBytes", { length: 16 });
    assert.ok(isSecret(base64) && isSecret(hex));
    assert.equal(length, 16);
    assert.equal(Buffer.from(unwrap(base64) as string, "base64").toString("hex"), unwrap(hex));
    assert.equal((unwrap(hex) as string).length, 32);
  });

  it("makes other bytes each time", async () => {
    const [a, b] = await Promise.all([create("RandomBytes", { length: 8 }), create("RandomBytes", { length: 8 })]);
    assert.notDeepEqual(a, b);
  });

  it("knows no values in a preview", async () => {
    const { hex, length } = await create("RandomBytes", { length: 16 }, true);
    assert.equal(hex, unknown);
    assert.equal(length, 16);
  });

  it("makes strings from the classes of characters that are left", async () => {
    const { result } = await create("RandomString", { length: 40, special: false, upper: false });
    assert.match(result as string, /^[a-z0-9]{40}$/);
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

  it("refuses what it does not know", async () =>
    assert.rejects(create("RandomPet", {}), /does not know random:index\/randomPet:RandomPet/));
});
