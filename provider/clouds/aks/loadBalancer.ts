import type { CloudLoadBalancer } from "../loadBalancer";

const internal = "service.beta.kubernetes.io/azure-load-balancer-internal";

/** Azure Load Balancer, from the documents of Azure Kubernetes Service. */
export const aksLoadBalancer: CloudLoadBalancer = {
  internal: { [internal]: "true" },
  internetFacing: {},
  reach: [internal],
};
