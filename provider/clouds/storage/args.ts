import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../nodes/args";

/** Arguments of shared storage in all clouds. */
export interface SharedStorageArgs {
  /**
   * Name of the storage, and the prefix of the names of all created resources. A lowercase DNS label that starts with a letter.
   * Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * Kubernetes namespace of the claim, which must exist. The clusters that mount it must be in the same namespace. Default:
   * "default".
   */
  namespace?: pulumi.Input<string>;
  /**
   * The node pool of the pods that mount it, as the output `scheduling` of the pool. Storage in another zone is refused.
   * Default: none; zones are not compared.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Keeps a created file system with its data in the cloud when it is removed from the program or replaced, and when the stack
   * is destroyed. Reference it with `existing` to mount it again. Default: true.
   */
  retainOnDelete?: boolean;
}
