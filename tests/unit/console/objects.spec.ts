import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../provider";
import { manifestsOf } from "../../support/manifests";

describe("the settings of the console", () => {
  const forecastOf = (args: Partial<MiniClusterArgs>) => {
    const data = manifestsOf({ console: { users: ["ann"] }, ...args }).programs?.data ?? {};
    return (JSON.parse(data["console.json"] ?? "") as { forecast?: boolean }).forecast;
  };

  it("include the forecast unless it is switched off", () => {
    assert.deepEqual([forecastOf({}), forecastOf({ forecast: false })], [true, undefined]);
  });
});
