/** The annotations of a Kubernetes Service with which a cloud creates a load balancer. */
export interface CloudLoadBalancer {
  /** Annotations that choose the implementation, for a Service without a load balancer class. */
  withoutClass?: Record<string, string>;
  /** Annotations of a load balancer with a private address. */
  internal: Record<string, string>;
  /** Annotations of a load balancer with a public address, if a public address is not the default. */
  internetFacing: Record<string, string>;
  /** Keys of the annotations that decide who can reach the load balancer. Only the arguments of this package set them. */
  reach: string[];
}
