/** How a cloud makes a load balancer for a Kubernetes Service: the annotations of the Service. */
export interface CloudLoadBalancer {
  /** Annotations that choose the implementation, for a Service without a load balancer class. */
  withoutClass?: Record<string, string>;
  /** Annotations of a load balancer with an address of the private network. */
  internal: Record<string, string>;
  /** Annotations of a load balancer with a public address, where a Service has none by itself. */
  internetFacing: Record<string, string>;
  /** Keys of the annotations that decide who can reach the load balancer. Only the arguments of this package set them. */
  reach: string[];
}
