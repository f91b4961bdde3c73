import type { Feature } from "../core/register/feature";
import { requeue, type RequeueFields, buildRequeueSpec } from "./fields";
import { requeueRules } from "./rules";

/** Jobs that are submitted again after they have lost a host. */
export const requeueFeature: Feature = {
  name: "requeue",
  fields: { requeue: requeue.optional() },
  rules: requeueRules,
  buildSpec({ requeue: policy }: { requeue?: RequeueFields }, { role, drainTimeoutSeconds }) {
    if (!policy || role === "follower") return {};
    const spec = buildRequeueSpec(policy, drainTimeoutSeconds);
    return { spec, additions: { leadProgram: { requeue: spec } } };
  },
};
