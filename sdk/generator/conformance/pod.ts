import { rowsIn, testsOf } from "./row";

const template = testsOf("unit/minicluster/objects/podTemplate");
const pod = testsOf("unit/minicluster/parse/pod");
const security = testsOf("unit/minicluster/parse/security");

/** Fields of the pods. */
export const podRows = rowsIn("spec.pod", {
  annotations: {
    also: [template("the pods carry the user's labels and annotations, and the hash of their configuration")],
  },
  labels: { also: [template("the pods carry the user's labels and annotations, and the hash of their configuration")] },
  restartPolicy: {
    differs: "Of the brokers' pods. The pod of the services always restarts.",
    also: [pod("the pod's settings refuses the restart policy Always, which no Job may have")],
  },
  serviceAccountName: {},
  runtimeClassName: {},
  automountServiceAccountToken: {},
  schedulerName: {},
  nodeSelector: {},
  nodeAffinity: { differs: "Counts beside `network.disableAffinity`, too." },
  "tolerations[].key": {},
  "tolerations[].effect": {},
  "tolerations[].operator": {},
  "tolerations[].value": {},
  dnsPolicy: { also: [pod("the pod's settings refuses an unknown DNS policy")] },
  hostIPC: {},
  hostPID: {},
  resources: {
    args: ["pod.resources.limits", "pod.resources.requests"],
    differs:
      "The operator writes them to the pod's overhead. Here they are the pod's resources (Kubernetes 1.34 or newer), " +
      "as limits and as requests; a warning says so.",
  },
  securityContext: {
    differs:
      "The operator passes on `fsGroup` alone. Here all of it counts but `windowsOptions`, which is left out; " +
      "a warning says so.",
    also: [security("a security context accepts everything a pod can have")],
  },
});
