type Properties = Record<string, { description?: string }>;

/** The parts of a schema that `overrideAll` uses. */
interface Overriding {
  types?: Record<string, { properties?: Properties }>;
  resources?: Record<string, { inputProperties?: Properties }>;
}

/**
 * Gives the overrides of a manifest the arguments of a MiniCluster. Their default is the value of the manifest. The analyzer finds
 * neither the comments of derived properties nor numbers with a fraction.
 */
export function overrideAll({ types = {}, resources = {} }: Overriding): void {
  const { properties } = types["minicluster:index:MiniClusterManifestOverride"] ?? {};
  const { inputProperties = {} } = resources["minicluster:index:MiniCluster"] ?? {};
  if (!properties) throw new Error("the schema has no overrides of a manifest");
  for (const [name, own] of Object.entries(properties)) {
    const argument = inputProperties[name];
    const [meaning = ""] = argument?.description?.split(/\s*Default:\s/) ?? [];
    const description = `${meaning} Default: the value of the manifest, or the default of a MiniCluster.`;
    properties[name] = { ...argument, description: own.description ?? description };
  }
}
