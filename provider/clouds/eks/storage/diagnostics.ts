import type { Diagnostic } from "../../../diagnostics/hooks";
import { EksSharedStorageKind } from "./args";
import type { EksStorageSpec } from "./parse";

const warning = ({ name }: EksStorageSpec, text: string): Diagnostic[] => [
  { severity: "warning", message: `storage ${name}: ${text}` },
];

/** Warns of the requirements of the add-on of FSx for Lustre (EKS, "Deploy the FSx for Lustre driver"). */
export const addonWarnings = (spec: EksStorageSpec): Diagnostic[] =>
  spec.kind === EksSharedStorageKind.FsxLustre && spec.driverRoleArn === undefined
    ? warning(
        spec,
        "the add-on aws-fsx-csi-driver fails without the EKS Pod Identity agent; install the add-on eks-pod-identity-agent with an " +
          "association of the service account fsx-csi-controller-sa, or set driverRoleArn",
      )
    : [];

/**
 * Warns of the setup of nodes that EFA to a file system requires, and that no pool provides (EKS, "Optimize Amazon FSx
 * for Lustre performance on nodes (EFA)"): a script at their start, which Bottlerocket does not run.
 */
export const efaWarnings = (spec: EksStorageSpec): Diagnostic[] =>
  spec.efa
    ? warning(
        spec,
        'nodes use EFA only if a script configures LNet, and otherwise TCP; set os of the pool to "al2023" and userData to the script',
      )
    : [];
