import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { ConfigMapPatch } from "@pulumi/kubernetes/core/v1/configMapPatch";
import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterResize } from "../args";
import { configSizeHooks } from "../diagnostics/job";
import { sizeKey } from "../parse/names";
import type { ResizeOptions } from "./growth";
import { type JobOfBrokers, patchOptions } from "./options";

/** The ConfigMap of a cluster with the patch of its size, and the resources of these that all other objects depend on. */
export interface Config {
  all: pulumi.Resource[];
  needed: pulumi.Input<pulumi.Resource[]>;
}

/** Registers the ConfigMap of the brokers, and the patch with its size if a resize is a patch. */
export function registerConfig(
  { name, spec, manifests: { configMap, configScale } }: JobOfBrokers,
  { onResize, growth, ...options }: ResizeOptions,
): Config {
  const byPatch = spec.resize === MiniClusterResize.Patch;
  const config = new ConfigMap(`${name}-entrypoint`, configMap, {
    ...options,
    ...(byPatch && { ignoreChanges: [`data.${sizeKey}`] }),
  });
  if (!byPatch) return { all: [config], needed: [config] };
  const size = new ConfigMapPatch(`${name}-entrypoint-size`, configScale, {
    ...patchOptions(options, config),
    dependsOn: growth.beforeConfig().apply((more) => [config, ...more]),
    hooks: configSizeHooks(name, spec, onResize, options.parent),
  });
  return { all: [config, size], needed: growth.afterConfig(config, size) };
}
