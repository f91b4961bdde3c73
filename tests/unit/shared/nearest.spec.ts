import * as assert from "node:assert/strict";
import { unknownProperty } from "../../../provider/shared/checks";

describe("the message for an unknown property", () => {
  const table: [key: string, names: string[], want: string][] = [
    ["pullAlways", ["image", "imagePullPolicy"], 'pullAlways is now imagePullPolicy: "Always"'],
    ["pullAlways", ["mountPath"], "unknown property; correct its name or remove it"],
  ];
  for (const [key, names, want] of table)
    it(`names what to write instead of ${key} among ${names.join(", ")}`, () =>
      assert.equal(unknownProperty(key, names), want));
});
