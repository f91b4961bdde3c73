import { Service } from "@pulumi/kubernetes/core/v1/service";
import type { ServiceManifest } from "../../core/objects/manifest";
import type { UniqueOptions } from "../../core/register/options";
import { leadServiceReplaceOnChanges } from "../objects";

/** Registers the Service through which brokers of other clusters reach the lead broker. */
export const registerLeadService = (name: string, manifest: ServiceManifest, options: UniqueOptions): Service =>
  new Service(`${name}-lead`, manifest, { ...options, replaceOnChanges: leadServiceReplaceOnChanges });
