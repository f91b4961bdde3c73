import type { CloudLoadBalancer } from "../loadBalancer";

const prefix = "service.beta.kubernetes.io/aws-load-balancer";
const scheme = `${prefix}-scheme`;

const annotations = (value: string) => ({ [`${prefix}-nlb-target-type`]: "ip", [scheme]: value });

/** A Network Load Balancer, from the documents of the AWS Load Balancer Controller. */
export const eksLoadBalancer: CloudLoadBalancer = {
  // A class selects the implementation without this annotation, which EKS Auto Mode does not support.
  withoutClass: { [`${prefix}-type`]: "external" },
  internal: annotations("internal"),
  internetFacing: annotations("internet-facing"),
  reach: [scheme],
};
