import type { z } from "zod";
import { integer, list, map, object, serviceName, text } from "../shared/checks";
import { autoscale, groupAutoscale } from "../autoscale/fields";
import { gang, type GangFields } from "../gang/fields";
import { hosts, property } from "../core/parse/hosts";
import { resources } from "../core/parse/container";
import { brokerPodsFields } from "../core/parse/fields";
import { maxPods } from "../core/parse/names";
import { storage } from "../storage/fields";
import { nodeSelector, pod, tolerations } from "../core/parse/pod";

const { pool, container, containers, podTemplate, drainTimeoutSeconds, disruptionBudget, ...fields } = brokerPodsFields;

/** Resources of the container of a separate lead broker. */
export const leadResources = { requests: { cpu: "1", memory: "1Gi" } };

/** The lead broker in a separate Job. */
export const lead = object({
  resources: resources.unwrap().default(leadResources),
  pool,
  nodeSelector,
  tolerations,
  podTemplate,
  storage: storage.optional(),
});

/** Arguments of the cluster that a group may override. */
export const overrides = {
  pool,
  container,
  containers: containers.optional(),
  pod: pod.optional(),
  podTemplate,
  gang: gang.optional(),
  drainTimeoutSeconds,
  disruptionBudget,
  prepull: fields.prepull.unwrap().optional(),
};

const cores = integer(1, 100_000);
const gpus = integer(0, 100_000);

const group = object({
  size: integer(0, maxPods).optional(),
  maxSize: hosts.optional(),
  autoscale: groupAutoscale.optional(),
  properties: list(property).default([]),
  cores: cores.optional(),
  gpus: gpus.optional(),
  ...overrides,
});

/** Groups of workers by name. The name of the Job ends with it, so a number could result in the name of the lead broker's host. */
export const groups = map(serviceName, group).refine((value) => Object.keys(value).length > 0, {
  error: "needs at least one group; add one, or remove groups",
});

/** Parsed arguments of a group. */
export type GroupFields = z.output<typeof group>;

/** Parsed arguments of a separate lead broker. */
export type LeadFields = z.output<typeof lead>;

/** Arguments of a cluster with groups of workers. */
export const groupsFields = { lead: lead.optional(), groups: groups.optional() };

/** Arguments of the Job of a group: of the group itself, or of the cluster as its only group. */
export const workersFields = (isOwn: boolean) => ({
  ...brokerPodsFields,
  // Composed of two checked names; a rule checks its length.
  name: text,
  size: integer(0, maxPods).optional(),
  maxSize: hosts.optional(),
  autoscale: (isOwn ? groupAutoscale : autoscale).optional(),
  group: object({
    name: text,
    properties: list(property).default([]),
    cores: cores.optional(),
    gpus: gpus.optional(),
  }),
});

/** Parsed arguments of the Job of a group. */
export interface WorkersFields extends z.output<ReturnType<typeof object<ReturnType<typeof workersFields>>>> {
  gang: GangFields;
}
