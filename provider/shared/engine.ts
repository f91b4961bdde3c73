import * as pulumi from "@pulumi/pulumi";

/**
 * True for a program whose engine calls back. Pulumi's mocks do not, and a registration of a hook there would wait for
 * ever.
 */
export const callsBack = () => typeof pulumi.runtime.getMonitor()?.registerResourceHook === "function";
