import type { RatesName } from "../../sandbox/controlPlane/commands";
import type { Bytes } from "./bytes";
import type { Memory } from "./memory";
import type { Requests } from "./requests";

/** The way of a step: `pulumi up`, or the minimum of plain requests. */
export type Way = "up" | "requests";

/** A step: all clusters of a stack get another number of pods. */
export interface PlannedStep {
  rates: RatesName;
  way: Way;
  /** Whether no two pods of a cluster may be on one node. */
  antiAffinity: boolean;
  clusters: number;
  /** Groups of workers of each cluster: then the pods are those of each group, and the lead broker has one more. */
  groups?: number;
  /** Pods of each cluster before it; 0 where there is no cluster yet. */
  from: number;
  /** Pods of each cluster after it; as many as before where nothing changes. */
  to: number;
  /** Counted from 1. */
  run: number;
}

/** The measurements. Times are in milliseconds from the start of `up`, or of the first request. */
export interface Step extends PlannedStep {
  /** Why it did not finish, and the state until then. The other figures are then left out. */
  failure?: string;
  /** How long the preview takes. */
  preview?: number;
  /** The first and the last pod that the API server had, or had no more. */
  firstPod?: number;
  lastPod?: number;
  /** All pods exist, and are Ready. */
  ready?: number;
  /** `up` has returned, or the last request is answered. */
  returned?: number;
  requests?: Requests;
  memory?: Memory;
  /** The stack's file. */
  state?: Bytes;
  /** The first cluster's ConfigMap. */
  configuration?: Bytes;
  /** Pulumi resources by kind. */
  resources?: Record<string, number>;
}

/** Pods of a stack after a step, the lead brokers beside groups included. */
export const podsAfter = ({ clusters, groups, to }: PlannedStep) => clusters * (groups ? groups * to + 1 : to);

/** Whether it makes clusters, changes them, or leaves them as they are. */
export const isCreate = ({ from }: PlannedStep) => from === 0;
export const isUnchanged = ({ from, to }: PlannedStep) => from === to;
export const isResize = (step: PlannedStep) => !isCreate(step) && !isUnchanged(step);
