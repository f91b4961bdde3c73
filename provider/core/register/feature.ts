import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import type { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import type { Secret } from "@pulumi/kubernetes/core/v1/secret";
import type { Service } from "@pulumi/kubernetes/core/v1/service";
import type * as pulumi from "@pulumi/pulumi";
import type { FeatureDiagnostics } from "../diagnostics/featureDiagnostics";
import type { LateValues } from "../objects";
import type { BuildFeatures, FeatureObjects } from "../objects/identities";
import type { FeatureRules } from "../parse/featureRules";
import type { MiniClusterSpec } from "../parse/spec";
import type { JobOfBrokers, UniqueOptions } from "./options";

/** The resources of a cluster that its outputs are read from. */
export interface Registered {
  secret: Secret;
  service: Service;
  job: Job;
  /** Resource whose readiness `up` waits for: the Job, or the patch that sets its size. */
  waiting: Job | JobPatch;
  /** The features of the cluster, for their outputs. */
  features: BuiltFeature[];
  /** Resolves when all warnings are logged. The program has to run until then. */
  warned: Promise<void>;
}

/** Resources of a cluster that the last resources of a feature depend on. */
export interface Brokers {
  /** The resources that wait for the brokers' pods. */
  waiting: pulumi.Resource[];
  /** The ConfigMap of the programs. */
  programs: pulumi.Resource[];
}

/** A feature of one Job of brokers, from its objects to the outputs. */
export interface BuiltFeature extends FeatureObjects {
  /** The same objects by their roles. */
  manifests: Record<string, unknown>;
  /** Registers the objects that need no brokers, and returns the resources that the Job depends on. */
  registerFirst?(job: JobOfBrokers, options: UniqueOptions): pulumi.Resource[];
  /** Registers the objects that depend on the brokers. A promise resolves when the last warning is logged. */
  registerLast?(job: JobOfBrokers, options: UniqueOptions, brokers: Brokers): Promise<void> | void;
  /** Outputs of the component. */
  outputs?(registered: Registered, component: pulumi.ComponentResource): Record<string, pulumi.Output<unknown>>;
}

/**
 * A feature of clusters of brokers: one value for each step from the arguments to the outputs. The components combine the features of
 * a list in loops.
 */
export interface Feature extends FeatureRules, FeatureDiagnostics {
  /** Registers the values that its objects contain. */
  registerValues?(
    name: string,
    spec: MiniClusterSpec,
    parent: pulumi.ComponentResource,
  ): Pick<LateValues, "secretData" | "features">;
  /** Its objects for one Job of brokers, if it has any. */
  build?(spec: MiniClusterSpec, late: LateValues): BuiltFeature | undefined;
}

/** Registers the values that the objects of some features contain. */
export function registerValues(
  features: readonly Feature[],
  name: string,
  spec: MiniClusterSpec,
  parent: pulumi.ComponentResource,
): Pick<LateValues, "secretData" | "features"> {
  const all = features.flatMap((feature) => feature.registerValues?.(name, spec, parent) ?? []);
  return {
    secretData: Object.assign({}, ...all.map(({ secretData }) => secretData)) as LateValues["secretData"],
    features: Object.assign({}, ...all.map((values) => values.features)) as LateValues["features"],
  };
}

/** The builder of the objects of some features. */
export const builderOf =
  (features: readonly Feature[]): BuildFeatures<BuiltFeature> =>
  (spec, late) =>
    features.flatMap((feature) => feature.build?.(spec, late) ?? []);
