import { objects } from "../core/objects/identities";
import { demandPort } from "../core/parse/names";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { Feature } from "../core/register/feature";
import { autoscale } from "./fields";
import { autoscaleName } from "./names";
import { sizeReasons } from "./diagnostics";
import { originInAgent } from "./diagnostics/origins";
import { agentProgram, agentSettings, buildAgent } from "./objects";
import { registerAgent } from "./register";
import { autoscaledRules, autoscaleRules } from "./rules";
import { autoscaledJobs } from "./spec";

/** A size that an agent sets by the demand of the queue. */
export const autoscaleFeature: Feature = {
  name: "autoscale",
  fields: { autoscale: autoscale.optional() },
  rules: autoscaleRules,
  jobRules: autoscaledRules,
  buildSpec(_, spec) {
    if (autoscaledJobs(spec).length === 0) return {};
    const serves = spec.role === "lead" ? { leadProgram: { demandPort } } : {};
    return { additions: { ...serves, ...diagnosis(spec) } };
  },
  waitReasons: sizeReasons,
  build(spec, { certificate, demandEndpoint }) {
    const agent = buildAgent(spec, { certificate: certificate.text, demandEndpoint });
    if (!agent) return undefined;
    const deployment = objects("Deployment", agent.deployment).map((object) => ({
      ...object,
      originOf: (field: readonly PropertyKey[]) => originInAgent(spec, agent.deployment, field),
    }));
    return {
      manifests: { agent },
      objects: [
        ...objects("Secret", agent.secret),
        ...deployment,
        ...objects("ServiceAccount", agent.account),
        ...objects("Role", agent.role),
        ...objects("RoleBinding", agent.binding),
      ],
      programs: [{ program: agentProgram, settings: agentSettings(spec) }],
      registerLast: (job, options, brokers) => registerAgent(job, agent, options, brokers),
    };
  },
};

/** The agent's Deployment and its log show why a cluster is not ready. */
const diagnosis = (spec: MiniClusterSpec) => ({
  diagnosedKinds: { deployment: true as const },
  diagnosedLogs: { [`deployment/${autoscaleName(spec)}`]: true as const },
});
