import assert from "node:assert/strict";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { oncePerRun } from "../../../provider/diagnostics/oncePerRun";

/** Leads the SDK to the servers of an engine, as the plugin does for each component of it. */
const useEngine = (monitor: string, engine: string) => resetOptions("", "", -1, engine, monitor, false, "");

describe("a value that the components of one run share", () => {
  after(() => useEngine("", ""));

  it("is the same for all components of an engine, and another one for an engine that reuses a port", () => {
    const value = oncePerRun(() => ({}));
    useEngine("127.0.0.1:1001", "127.0.0.1:1002");
    const first = value();
    useEngine("127.0.0.1:1001", "127.0.0.1:1002");
    assert.equal(value(), first);
    useEngine("127.0.0.1:1001", "127.0.0.1:2002");
    assert.notEqual(value(), first);
    useEngine("127.0.0.1:2001", "127.0.0.1:1002");
    assert.notEqual(value(), first);
  });
});
