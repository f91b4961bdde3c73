import type { Diagnostic } from "../../../diagnostics/hooks";
import { EksSharedStorageKind } from "./args";
import type { EksStorageSpec } from "./parse";

/** Warns of the requirements of the add-on of FSx for Lustre (EKS, "Deploy the FSx for Lustre driver"). */
export const addonWarnings = ({ name, kind, driverRoleArn }: EksStorageSpec): Diagnostic[] =>
  kind === EksSharedStorageKind.FsxLustre && driverRoleArn === undefined
    ? [
        {
          severity: "warning",
          message:
            `storage ${name}: the add-on aws-fsx-csi-driver fails without the EKS Pod Identity agent; install the add-on ` +
            "eks-pod-identity-agent with an association of the service account fsx-csi-controller-sa, or set driverRoleArn",
        },
      ]
    : [];

/**
 * Reports the setup of nodes that EFA to a file system requires (EKS, "Optimize Amazon FSx for Lustre performance on nodes
 * (EFA)"). The pools of the nodes are not known.
 */
export const efaNotices = ({ name, efa }: EksStorageSpec): Diagnostic[] =>
  efa
    ? [
        {
          severity: "info",
          message: `storage ${name}: nodes use EFA if their EksNodePool has lustreEfaClient: true and os "al2023", and otherwise TCP`,
        },
      ]
    : [];
