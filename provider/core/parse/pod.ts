import type { z } from "zod";
import { MiniClusterTaintEffect } from "../../clouds/nodes/args";
import {
  annotations,
  choice,
  flag,
  labels,
  labelValue,
  leaf,
  list,
  map,
  object,
  objectName,
  qualifiedName,
  text,
} from "../../shared/checks";
import { ruleOn, rules } from "../../shared/rules";
import { MiniClusterDnsPolicy, MiniClusterRestartPolicy, MiniClusterTolerationOperator } from "../args";
import { resources } from "./container";
import { podSecurityContext } from "./security";

const nodeValues = list(labelValue).refine((values) => values.length > 0, {
  error: "needs at least one value; add one or remove the label",
});

const tolerationFields = object({
  key: leaf(qualifiedName).optional(),
  operator: choice(MiniClusterTolerationOperator).optional(),
  value: leaf(text).optional(),
  effect: choice(MiniClusterTaintEffect).optional(),
});

const tolerationRule = ruleOn<z.output<typeof tolerationFields>>();

const toleration = tolerationFields.check(
  rules(
    tolerationRule(["key", "operator"], ({ key, operator }, addIssue) => {
      if (key === undefined && operator !== MiniClusterTolerationOperator.Exists)
        addIssue(["key"], 'a toleration without a key needs operator "Exists"; add a key or the operator');
    }),
    tolerationRule(["value", "operator"], ({ value, operator }, addIssue) => {
      if (value !== undefined && operator === MiniClusterTolerationOperator.Exists)
        addIssue(["value"], 'operator "Exists" takes no value; remove it or use "Equal"');
    }),
  ),
);

/** Labels that a node must have. */
export const nodeSelector = labels.default({});

/** Taints that the pods tolerate. */
export const tolerations = list(toleration).default([]);

/** Settings of the pods as a whole. */
export const pod = object({
  annotations: annotations.default({}),
  labels: labels.default({}),
  restartPolicy: choice(MiniClusterRestartPolicy).default(MiniClusterRestartPolicy.Never),
  serviceAccountName: leaf(objectName).optional(),
  automountServiceAccountToken: flag.default(false),
  runtimeClassName: leaf(objectName).optional(),
  schedulerName: leaf(objectName).optional(),
  nodeSelector,
  nodeAffinity: map(qualifiedName, nodeValues).default({}),
  tolerations,
  dnsPolicy: choice(MiniClusterDnsPolicy).optional(),
  hostIPC: flag.optional(),
  hostPID: flag.optional(),
  resources,
  securityContext: podSecurityContext.prefault({}),
});

/** Message for a key that users must not set. */
export const ownLabel = "is set by Kubernetes or by the component itself; choose another key";

/** Keys of annotations of a Job that belong to the component. Some annotations of Pulumi control how it applies the Job. */
export const reservedJobAnnotations = (map: object): string[] => [
  ...reservedKeys(map),
  ...Object.keys(map).filter((key) => key.startsWith("pulumi.com/")),
];

/** Keys of labels and annotations that belong to Kubernetes or to the component. */
export const reservedKeys = (map: object): string[] =>
  Object.keys(map).filter((key) => /^(job-name|controller-uid|(batch\.kubernetes\.io|minicluster)\/.*)$/.test(key));
