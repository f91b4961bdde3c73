import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import type * as pulumi from "@pulumi/pulumi";
import { waitingFor } from "../../shared/children";
import type { Manifests } from "../objects";
import type { MiniClusterSpec } from "../parse/spec";

/** Registers what pulls the images. It comes after the pool, and waits for a pod on each node. */
export function registerPrepull(
  name: string,
  { waitTimeoutSeconds }: MiniClusterSpec,
  { prepull }: Manifests,
  options: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  if (!prepull) return [];
  const customTimeouts = waitingFor(waitTimeoutSeconds, options);
  return [new DaemonSet(`${name}-prepull`, prepull, { ...options, customTimeouts })];
}
