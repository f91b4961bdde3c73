/** The agent of a cluster with `autoscale`, and everything that belongs to it. */
export const autoscaleName = ({ name }: { name: string }) => `${name}-autoscale`;

/** Selects the pod of the agent. */
export const agentSelector = ({ name }: { name: string }) => ({ "minicluster/autoscale": name });

/** Annotation of the agent with the largest size, which an update compares with the one before. */
export const maxAnnotation = "minicluster/autoscale-max";
