import type * as pulumi from "@pulumi/pulumi";
import { hashDeferred } from "../../shared/hash";
import { renderConfigFiles } from "../flux/configFiles";
import type { MiniClusterSpec } from "../spec";
import { buildConfigMap, buildConfigScale } from "./configMap";
import { buildEnvironmentSecret, hashEnvironment } from "./environment";
import { buildJob, buildJobScale } from "./job";
import { buildPodTemplate } from "./podTemplate";
import { buildSecret } from "./secret";
import { buildService } from "./service";

/** Every object of a cluster, in the order in which they depend on each other. */
export type Manifests = ReturnType<typeof buildManifests>;

/** What a cluster consists of in Kubernetes, as plain data around the secret key of its brokers. */
export function buildManifests(spec: MiniClusterSpec, secretKey: pulumi.Input<string>) {
  const files = renderConfigFiles(spec);
  const template = buildPodTemplate(spec, files, hashEnvironment(spec, secretKey));
  return {
    secret: buildSecret(spec, secretKey),
    environment: buildEnvironmentSecret(spec),
    configMap: buildConfigMap(spec, files),
    configScale: buildConfigScale(spec, files),
    service: buildService(spec),
    job: buildJob(spec, template),
    jobScale: buildJobScale(spec, template, hashDeferred(template, secretKey)),
  };
}
