import type { Service } from "@pulumi/kubernetes/core/v1/service";
import { objects } from "../core/objects/identities";
import { demandPort } from "../core/parse/names";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { Feature } from "../core/register/feature";
import { checkedSourceRanges } from "./diagnostics/lateValues";
import { movesHooks } from "./diagnostics/moves";
import { originInBalancer } from "./diagnostics/origins";
import { burstWarnings } from "./diagnostics/warnings";
import { buildLeadService } from "./objects";
import { bursting, type BurstingFields } from "./parse/fields";
import { joiningPrices, movesOf } from "./parse/moves";
import { operatorBurstingRules } from "./parse/operatorRules";
import { burstingRules } from "./parse/rules";
import { burstingOf } from "./parse/spec";
import { registerLeadService } from "./register/leadService";
import { burstOutputs } from "./register/outputs";

/** Clusters that join the instance, and the endpoint of the lead broker. */
export const burstingFeature: Feature = {
  name: "bursting",
  fields: { bursting: bursting.optional() },
  rules: [...operatorBurstingRules, ...burstingRules],
  buildSpec({ bursting: fields }: { bursting?: BurstingFields }, spec) {
    if (!fields || spec.role === "follower") return {};
    const prices = joiningPrices(fields);
    const moves = movesOf(fields, spec.instance, { ...spec.additions.prices, ...prices });
    return {
      spec: fields,
      additions: {
        prices,
        submitOptions: { bursting: ownHosts(spec, fields) },
        leadProgram: { ...(fields.expose.demand && { demandPort }), ...(moves && { place: moves }) },
      },
    };
  },
  warnings: burstWarnings,
  hooksOnPrograms: movesHooks,
  build(spec, { certificate }) {
    const fields = burstingOf(spec);
    if (!fields) return undefined;
    const manifest = buildLeadService(spec, checkedSourceRanges(spec));
    let service: Service | undefined;
    return {
      manifests: { leadService: manifest },
      objects: objects("Service", manifest).map((object) => ({ ...object, originOf: originInBalancer })),
      registerLast({ name }, options) {
        if (manifest) service = registerLeadService(name, manifest, options);
      },
      outputs: (registered) => burstOutputs(spec, fields, certificate.text, registered, service),
    };
  },
};

/** Options that keep the submitted command on the hosts of the cluster, if no queue does so, or if jobs move from the queue. */
function ownHosts({ name, instance }: MiniClusterSpec, { place }: BurstingFields): string[] {
  if (!instance.hasQueues) return [`--requires=${name}`];
  return place ? [`--queue=${name}`] : [];
}
