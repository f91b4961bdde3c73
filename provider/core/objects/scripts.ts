import { hashKnown } from "../../shared/deferred";
import { object } from "../../shared/checks";
import { renderConfigFiles } from "../flux/configFiles";
import { brokerPodsFields } from "../parse/fields";
import { buildInstanceSpec } from "../parse/instance";
import { type LeadSpec, noAdditions, buildBrokerPodsSpec } from "../parse/spec";
import { MiniClusterWait } from "../args";

let hash: string | undefined;

/**
 * Hash that differs between two versions of this package with different scripts: the hash of the files of a fixed cluster, which
 * uses most of the scripts.
 */
export function scriptsHash(): string {
  hash ??= hashKnown(renderConfigFiles(fixedCluster()));
  return hash;
}

function fixedCluster(): LeadSpec {
  const fields = object(brokerPodsFields).parse({
    name: "scripts",
    drainTimeoutSeconds: 60,
    containers: [
      { image: "scripts", runFlux: true, command: "true", commands: { pre: "true", post: "true" } },
      { image: "scripts", name: "sidecar", command: "true" },
    ],
  });
  return {
    ...buildBrokerPodsSpec(fields, false),
    role: "lead",
    cluster: "scripts",
    size: 2,
    maxSize: 4,
    hasMaxSize: true,
    instance: buildInstanceSpec(fields, 4, undefined, undefined),
    mode: "submit",
    tasks: 1,
    retryCommand: true,
    groups: [],
    wait: MiniClusterWait.Ready,
    suspend: false,
    suspendsAtZero: false,
    cleanup: false,
    features: {},
    additions: noAdditions(),
  };
}
