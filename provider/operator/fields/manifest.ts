import { z } from "zod";
import { map, struct, text, textOrEmpty } from "./common";
import { v1alpha1 } from "./v1alpha1";
import { v1alpha2 } from "./v1alpha2";

// Written by a server or a tool: a manifest that was exported has it.
const ignored = z.unknown();

const metadata = struct({
  name: text,
  namespace: text,
  labels: map(textOrEmpty),
  annotations: map(textOrEmpty),
  creationTimestamp: ignored,
  deletionGracePeriodSeconds: ignored,
  deletionTimestamp: ignored,
  finalizers: ignored,
  generateName: ignored,
  generation: ignored,
  managedFields: ignored,
  ownerReferences: ignored,
  resourceVersion: ignored,
  selfLink: ignored,
  uid: ignored,
});

/** Metadata of a MiniCluster. */
export type Metadata = z.output<typeof metadata>;

const envelope = { apiVersion: text, kind: text, metadata, status: ignored };

/** A MiniCluster object in each version of the operator's API. */
export const manifests = {
  v1alpha1: struct({ ...envelope, spec: v1alpha1 }),
  v1alpha2: struct({ ...envelope, spec: v1alpha2 }),
};

/** A version of the operator's API. */
export type Version = keyof typeof manifests;
