import * as pulumi from "@pulumi/pulumi";
import { choiceOf, providerSettings } from "../diagnostics/apiServer";
import { inputPropertiesError } from "../shared/errors";
import { type ChildOptions, givenProviders, isKubernetes } from "../shared/children";
import { pluginDownloadURL, version } from "../shared/version";
import type { StudyFailure, StudyInstanceArgs } from "./args";
import type { StudySpec } from "./parse/runs";

/**
 * Resource with the runs of a study. The plugin of this package implements it; the engine finds the plugin by the name and the
 * version of the package, also for programs in TypeScript.
 */
class StudyRuns extends pulumi.CustomResource {
  declare readonly table: pulumi.Output<string>;
  declare readonly csv: pulumi.Output<string>;
  declare readonly json: pulumi.Output<string>;
  declare readonly plot: pulumi.Output<string>;
  declare readonly failed: pulumi.Output<StudyFailure[]>;
  declare readonly nodeHours: pulumi.Output<number>;
  declare readonly cost: pulumi.Output<number | undefined>;

  constructor(name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions) {
    const outputs = Object.fromEntries(outputNames.map((output) => [output, undefined]));
    super("minicluster:index:StudyRuns", name, { ...outputs, ...inputs }, { ...options, version, pluginDownloadURL });
  }
}

/** Resource with the id of a study and the key of its hashes. */
class StudyId extends pulumi.CustomResource {
  declare readonly key: pulumi.Output<string>;

  constructor(name: string, options: pulumi.CustomResourceOptions) {
    super("minicluster:index:StudyId", name, { key: undefined }, { ...options, version, pluginDownloadURL });
  }
}

const outputNames = ["table", "csv", "json", "plot", "failed", "nodeHours", "cost"] as const;

const kubernetesType = "kubernetes:core/v1:ConfigMap";

/** Refuses a study whose options have another Kubernetes provider than its instance: the runs would be in another cluster. */
export function refuseOtherProvider(name: string, instance: unknown, opts: pulumi.ComponentResourceOptions = {}): void {
  if (!pulumi.Resource.isInstance(instance)) return;
  const own = givenProviders(opts).find(isKubernetes) ?? opts.parent?.getProvider(kubernetesType);
  if (!own || own === instance.getProvider(kubernetesType)) return;
  const reason =
    "has another Kubernetes provider than the options of the study; remove the provider of the study, which then uses the provider " +
    "of the instance";
  throw inputPropertiesError(`Study ${name}`, [{ propertyPath: "instance", reason }]);
}

/** Registers the runs of a study, after the instance that they run in, and returns their outputs. */
export function registerRuns(
  name: string,
  spec: StudySpec,
  instance: StudyInstanceArgs,
  options: ChildOptions & Pick<pulumi.CustomResourceOptions, "dependsOn">,
): Pick<StudyRuns, (typeof outputNames)[number]> {
  const { jobName, namespace, maxSize } = instance;
  // For a MiniCluster, its provider is used. For an instance that is given by names, only the provider of the study is
  // known.
  const owner = pulumi.Resource.isInstance(instance) ? instance : options.parent;
  const connection = pulumi.secret(providerSettings(owner).then(choiceOf));
  const { id: study, key } = new StudyId(`${name}-id`, options);
  const inputs = { spec, jobName, namespace, maxSize, connection, study, key: pulumi.secret(key) };
  const { table, csv, json, plot, failed, nodeHours, cost } = new StudyRuns(`${name}-runs`, inputs, options);
  return { table, csv, json, plot, failed, nodeHours, cost };
}
