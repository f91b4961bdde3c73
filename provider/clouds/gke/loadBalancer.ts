import type { CloudLoadBalancer } from "../loadBalancer";

const type = "networking.gke.io/load-balancer-type";

/** A passthrough Network Load Balancer, from the documents of Google Kubernetes Engine. */
export const gkeLoadBalancer: CloudLoadBalancer = {
  internal: { [type]: "Internal" },
  internetFacing: { "cloud.google.com/l4-rbs": "enabled" },
  reach: [type],
};
