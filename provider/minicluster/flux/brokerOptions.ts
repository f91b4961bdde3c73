import { hasLateLead } from "../hosts";
import type { MiniClusterSpec } from "../parse/spec";
import { configFile, files, sharedPaths } from "../paths";

/** Files of the certificate and of the description of the resources, as the brokers' configuration has them. */
export function brokerPaths({ container, brokerConfig }: MiniClusterSpec["flux"]) {
  const { certificate, resources } = sharedPaths(container);
  return { certificate: brokerConfig?.certificate ?? certificate, resources: brokerConfig?.resources ?? resources };
}

/** File of the brokers' configuration: that of the ConfigMap, or its copy with the endpoint of the lead broker. */
export const brokerConfigFile = (spec: MiniClusterSpec) =>
  hasLateLead(spec) ? sharedPaths(spec.flux.container).broker : configFile(files.brokerConfig);

/** Children of a broker in the tree, as in the Flux Operator: up to 257 brokers the tree is flat. */
const fanOut = 256;

/** Options of `flux start` and `flux broker` on every rank (flux-broker-attributes(7)). */
export function brokerOptions(spec: MiniClusterSpec): string[] {
  const { flux, logging } = spec;
  const paths = sharedPaths(flux.container);
  const attributes: [string, string | number | undefined][] = [
    ["cron.directory", paths.cron],
    // It would stand above the topology of the user's own configuration.
    ["tbon.fanout", flux.brokerConfig ? undefined : fanOut],
    ["rundir", paths.run],
    ["statedir", paths.state],
    ["local-uri", flux.disableSocket ? undefined : `local://${paths.run}/local`],
    ["tbon.connect_timeout", flux.connectTimeout || undefined],
    ["tbon.topo", flux.topology],
    ["tbon.zmqdebug", logging.zeromq ? 1 : undefined],
    ["log-stderr-level", logging.quiet ? 0 : flux.logLevel],
    ["log-stderr-mode", "local"],
  ];
  const given = attributes.filter(([, value]) => value !== undefined);
  return [`--config-path=${brokerConfigFile(spec)}`, ...given.map(([name, value]) => `-S${name}=${value}`)];
}
