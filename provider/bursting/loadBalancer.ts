/** Annotations that tell a cloud the kind of a load balancer (Kubernetes documents of AWS, Google and Azure). */
export const loadBalancerAnnotations = {
  awsType: "service.beta.kubernetes.io/aws-load-balancer-type",
  awsTarget: "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type",
  awsScheme: "service.beta.kubernetes.io/aws-load-balancer-scheme",
  gcpType: "networking.gke.io/load-balancer-type",
  gcpBackend: "cloud.google.com/l4-rbs",
  azureInternal: "service.beta.kubernetes.io/azure-load-balancer-internal",
} as const;

const { awsScheme, gcpType, azureInternal } = loadBalancerAnnotations;

/** Annotations that decide who can reach a load balancer. */
export const ownAnnotations: string[] = [awsScheme, gcpType, azureInternal];
