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
