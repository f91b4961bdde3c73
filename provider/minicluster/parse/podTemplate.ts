import { z } from "zod";
import type { types } from "@pulumi/kubernetes";

/** A pod template to merge. Its rules look into it (podTemplateRules.ts); the API server judges the rest. */
export const podTemplate = z.custom<types.input.core.v1.PodTemplateSpecPatch>();
