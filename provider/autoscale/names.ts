import contract from "../core/contract.json";
import { programsDirectory } from "../core/parse/paths";

/** Name of the agent of a cluster with `autoscale`, and of all its objects. */
export const autoscaleName = ({ name }: { name: string }) => `${name}-autoscale`;

/** Selects the pod of the agent. */
export const agentSelector = ({ name }: { name: string }) => ({ "minicluster/autoscale": name });

/** Annotation of the agent with the largest size, which an update compares with the former value. */
export const maxAnnotation = "minicluster/autoscale-max";

/** Program of the agent, and its settings. */
export const agentFile = `${programsDirectory}/agent.pyz`;
export const agentSettingsFile = `${programsDirectory}/agent.json`;

/** Variable of the agent with the address at which the lead broker's pod reports the demand of the queue. */
export const demandVariable = "MINICLUSTER_DEMAND";

/** Key of the Secret by which the agent and the lead broker's pod authenticate each other. */
export const demandKeyFile = contract.files.demandKey;
