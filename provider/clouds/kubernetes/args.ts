import type * as pulumi from "@pulumi/pulumi";

/** The outputs of a `Cluster` of `@pulumi/aws/eks` that this package uses. */
export interface AwsEksCluster {
  readonly arn: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly endpoint: pulumi.Output<string>;
  readonly certificateAuthority: pulumi.Output<{ data: string }>;
}

/** The outputs of a `Cluster` of `@pulumi/eks` that this package uses. */
export interface PulumiEksCluster {
  readonly eksCluster: pulumi.Output<{ readonly name: pulumi.Output<string> }>;
  readonly kubeconfigJson: pulumi.Output<string>;
}

/** An EKS cluster: a `Cluster` of `@pulumi/eks`, or of `@pulumi/aws/eks`. */
export type EksCluster = pulumi.Resource & (PulumiEksCluster | AwsEksCluster);

/** A GKE cluster: a `Cluster` of `@pulumi/gcp/container`. */
export interface GkeCluster extends pulumi.Resource {
  readonly name: pulumi.Output<string>;
  readonly location: pulumi.Output<string>;
  readonly project: pulumi.Output<string>;
  readonly endpoint: pulumi.Output<string>;
  readonly masterAuth: pulumi.Output<{ clusterCaCertificate: string }>;
}

/** An AKS cluster: a `ManagedCluster` of `@pulumi/azure-native/containerservice`. */
export interface AksCluster extends pulumi.Resource {
  readonly id: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly nodeResourceGroup: pulumi.Output<string | undefined>;
}
