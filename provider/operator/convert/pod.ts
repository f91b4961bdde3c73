import type { MiniClusterV1alpha2 } from "../fields/v1alpha2";
import type { Say } from "./say";
import { securityArgs } from "./security";
import { known } from "./values";

type Pod = NonNullable<MiniClusterV1alpha2["pod"]>;

/** The arguments of the pods as a whole. */
export function podArgs({ resources, securityContext, ...pod }: Pod, warn: Say) {
  if (resources !== undefined)
    warn(
      "resources",
      "the operator calls them the pod's overhead; here they are its resources (Kubernetes 1.34 or newer)",
    );
  const others = Object.keys(securityContext ?? {}).filter((name) => !["fsGroup", "windowsOptions"].includes(name));
  if (others.length > 0)
    warn("securityContext", `the operator passes on fsGroup alone; here ${others.join(", ")} count, too`);
  return known({
    ...pod,
    resources: resources && { limits: resources, requests: resources },
    securityContext: securityArgs(securityContext, "securityContext", warn),
  });
}
