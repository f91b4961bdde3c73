import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../nodes/args";

/** Arguments that shared storage has in every cloud. */
export interface SharedStorageArgs {
  /** Name of the storage, with which the names of all that is made begin. A lowercase DNS label that starts with a letter. Default: the Pulumi resource name. */
  name?: string;
  /** Kubernetes namespace of the claim, which must exist: that of the clusters that mount it. Default: "default". */
  namespace?: pulumi.Input<string>;
  /**
   * The node pool whose pods mount it, as the output `scheduling` of the pool: storage in another zone is refused. Default: none,
   * and no zone is compared.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Leaves a file system that is made here, with its data, in the cloud when it goes from the program or is replaced, and when the
   * stack is destroyed. To mount it again name it as `existing`. Default: true.
   */
  retainOnDelete?: boolean;
}
