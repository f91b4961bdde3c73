import * as pulumi from "@pulumi/pulumi";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";

/** Writes messages of one resource to the engine. */
export interface Log {
  info: (message: string) => void;
  warn: (message: string) => void;
  /** A message beside the resource in the display of an operation, which the next message replaces. */
  status: (message: string) => void;
}

/** Sends the messages of resources to the engine, whose address is an argument of the plugin. */
export function logToEngine(args: string[]): void {
  const address = args.find((arg) => !arg.startsWith("-"));
  if (address !== undefined) resetOptions("", "", -1, address, "", false, "");
}

/** The messages of a resource. */
export function logOf(urn: string): Log {
  const resource = { urn: pulumi.output(urn) } as pulumi.Resource;
  return {
    info: (message) => void pulumi.log.info(message, resource),
    warn: (message) => void pulumi.log.warn(message, resource),
    status: (message) => void pulumi.log.info(message, resource, undefined, true),
  };
}
