import { consoleName, leadSelector } from "../core/parse/names";
import type { MiniClusterSpec } from "../core/parse/spec";
import { metadata, type ServiceManifest } from "../core/objects/manifest";
import { buildLeadPortPolicy } from "../core/objects/network";

/** The objects by which users reach the console. */
export function buildConsole(spec: MiniClusterSpec) {
  if (spec.role === "follower" || !spec.console) return undefined;
  return {
    service: service(spec, spec.console.port),
    networkPolicy: buildLeadPortPolicy(spec, consoleName(spec), spec.console),
  };
}

const service = (spec: MiniClusterSpec, port: number): ServiceManifest => ({
  // Its pod comes after it.
  metadata: metadata(spec, consoleName(spec), { "pulumi.com/skipAwait": "true" }),
  spec: { type: "ClusterIP", selector: leadSelector(spec), ports: [{ name: "http", port, protocol: "TCP" }] },
});
