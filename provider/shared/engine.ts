import * as pulumi from "@pulumi/pulumi";

/** Whether this program has an engine that calls back. Pulumi's mocks do not, and who registers there would wait for ever. */
export const callsBack = () => typeof pulumi.runtime.getMonitor()?.registerResourceHook === "function";
