import { metadata, type ServiceManifest } from "../core/objects/manifest";
import { buildLeadPortPolicy } from "../core/objects/network";
import { leadSelector } from "../core/parse/names";
import { hasFixedSize, type MiniClusterSpec } from "../core/parse/spec";
import type { Program } from "../core/programs";
import { hasForecast } from "../forecast/spec";
import type { ConsoleSpec } from "./fields";
import { consoleName } from "./names";

/** The objects by which users reach the console. */
export const buildConsole = (spec: MiniClusterSpec, console: ConsoleSpec) => ({
  service: service(spec, console.port),
  networkPolicy: buildLeadPortPolicy(spec, consoleName(spec), console),
});

/** The objects that `buildConsole` returns. */
export type ConsoleManifests = ReturnType<typeof buildConsole>;

const service = (spec: MiniClusterSpec, port: number): ServiceManifest => ({
  // Its pod is created later.
  metadata: metadata(spec, consoleName(spec), { "pulumi.com/skipAwait": "true" }),
  spec: { type: "ClusterIP", selector: leadSelector(spec), ports: [{ name: "http", port, protocol: "TCP" }] },
});

/** The program of the REST API and the web page. */
export const consoleProgram: Program = {
  name: "console",
  main: "console.programs.console",
  data: ["console/programs/openapi.json"],
  built: { file: "console/programs/page.html", what: "the web page of the console" },
};

/** Settings of the program of the console. Its users are in a Secret. */
export function consoleSettings(spec: MiniClusterSpec, { port, keep }: ConsoleSpec) {
  const { prices } = spec.additions;
  return {
    name: spec.name,
    port,
    clusters: spec.instance.clusters.map(({ name, hosts }) => ({ name, hosts })),
    ...(Object.keys(prices).length > 0 && { prices }),
    fixed: hasFixedSize(spec),
    ...(keep !== undefined && { keep }),
    ...(hasForecast(spec) && { forecast: true }),
  };
}

/** Command that forwards a local port to the console. It begins with kubectl and its options. */
export const consoleCommand = (spec: MiniClusterSpec, port: number, kubectl: string) =>
  `${kubectl} port-forward --namespace ${spec.namespace} service/${consoleName(spec)} ${port}:${port}`;
