export { type JobPod, Kube, type KubeObject } from "../sandbox/kube";
export { waitFor } from "../sandbox/waiting";
