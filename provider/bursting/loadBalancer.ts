/** Annotations by which a cloud is told what a load balancer is (Kubernetes documents of AWS, Google and Azure). */
export const loadBalancerAnnotations = {
  awsType: "service.beta.kubernetes.io/aws-load-balancer-type",
  awsTarget: "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type",
  awsScheme: "service.beta.kubernetes.io/aws-load-balancer-scheme",
  gcpType: "networking.gke.io/load-balancer-type",
  gcpBackend: "cloud.google.com/l4-rbs",
  azureInternal: "service.beta.kubernetes.io/azure-load-balancer-internal",
} as const;

const { awsScheme, gcpType, azureInternal } = loadBalancerAnnotations;

/** Those that decide who can reach it. */
export const ownAnnotations: string[] = [awsScheme, gcpType, azureInternal];
