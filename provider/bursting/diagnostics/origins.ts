type Path = readonly PropertyKey[];

/** Arguments by the fields of the load balancer's Service. */
const inBalancer: Record<string, string> = {
  "metadata.annotations": "annotations",
  "spec.loadBalancerSourceRanges": "sourceRanges",
};

/** The argument that sets a field of the load balancer's Service. */
export function originInBalancer([part, field, ...rest]: Path): Path {
  const property = inBalancer[[part, field].map(String).join(".")];
  return property === undefined ? [] : ["bursting", "expose", "loadBalancer", property, ...rest];
}
