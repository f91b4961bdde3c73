import { z } from "zod";
import {
  annotations,
  choice,
  flag,
  labels,
  labelValue,
  leaf,
  objectName,
  qualifiedName,
  text,
} from "../../shared/checks";
import {
  MiniClusterDnsPolicy,
  MiniClusterRestartPolicy,
  MiniClusterTaintEffect,
  MiniClusterTolerationOperator,
} from "../args";
import { resources } from "./container";
import { podSecurityContext } from "./security";

const toleration = z
  .strictObject({
    key: leaf(qualifiedName).optional(),
    operator: choice(MiniClusterTolerationOperator).optional(),
    value: leaf(text).optional(),
    effect: choice(MiniClusterTaintEffect).optional(),
  })
  .check(({ value, issues }) => {
    const complain = (key: string, message: string) =>
      issues.push({ code: "custom", path: [key], input: value, message });
    if (value.key === undefined && value.operator !== "Exists")
      complain("key", 'a toleration without a key needs operator "Exists"; add a key or the operator');
    if (value.value !== undefined && value.operator === "Exists")
      complain("value", 'operator "Exists" takes no value; remove it or use "Equal"');
  });

/** Settings of the pods as a whole. */
export const pod = z.strictObject({
  annotations: annotations.default({}),
  labels: labels.default({}),
  restartPolicy: choice(MiniClusterRestartPolicy).default(MiniClusterRestartPolicy.OnFailure),
  serviceAccountName: leaf(objectName).optional(),
  automountServiceAccountToken: flag.default(false),
  runtimeClassName: leaf(objectName).optional(),
  schedulerName: leaf(objectName).optional(),
  nodeSelector: labels.default({}),
  nodeAffinity: z.record(qualifiedName, z.array(labelValue).min(1, { error: "needs at least one value" })).default({}),
  tolerations: z.array(toleration).default([]),
  dnsPolicy: choice(MiniClusterDnsPolicy).optional(),
  hostIPC: flag.optional(),
  hostPID: flag.optional(),
  resources,
  securityContext: podSecurityContext.prefault({}),
});
