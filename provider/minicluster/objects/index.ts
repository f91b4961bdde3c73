import type * as pulumi from "@pulumi/pulumi";
import { hashDeferred } from "../../shared/hash";
import { renderConfigFiles, renderServiceFiles } from "../flux/configFiles";
import type { MiniClusterSpec } from "../parse";
import { buildConfigMap, buildConfigScale } from "./configMap";
import { buildDisruptionBudget } from "./disruptionBudget";
import { buildEnvironmentSecret, hashEnvironment } from "./environment";
import { buildJob, buildJobScale } from "./job";
import { buildLeadService } from "./leadService";
import { buildNetworkPolicy } from "./networkPolicy";
import { buildPodTemplate } from "./podTemplate";
import { buildSecret, hashCertificate } from "./secret";
import { buildService, buildServicesService, buildSidecarServices } from "./service";
import { buildServicesPod } from "./servicesPod";

/** Every object of a cluster, in the order in which they depend on each other. */
export type Manifests = ReturnType<typeof buildManifests>;

/** What a cluster consists of in Kubernetes, as plain data around the certificate of its brokers. */
export function buildManifests(spec: MiniClusterSpec, certificate: pulumi.Output<string>) {
  const { main, sidecars, services } = spec;
  const brokerFiles = renderConfigFiles(spec);
  const serviceFiles = renderServiceFiles(spec);
  const files = { ...brokerFiles, ...serviceFiles };
  const template = buildPodTemplate(spec, brokerFiles, {
    certificate: hashCertificate(certificate),
    environment: hashEnvironment([main, ...sidecars], certificate),
  });
  return {
    secret: buildSecret(spec, certificate),
    environment: buildEnvironmentSecret(spec),
    networkPolicy: buildNetworkPolicy(spec),
    disruptionBudget: buildDisruptionBudget(spec),
    configMap: buildConfigMap(spec, files),
    configScale: buildConfigScale(spec, files),
    service: buildService(spec),
    sidecarServices: buildSidecarServices(spec),
    leadService: buildLeadService(spec),
    servicesPod: buildServicesPod(spec, serviceFiles, hashEnvironment(services, certificate)),
    servicesService: buildServicesService(spec),
    job: buildJob(spec, template),
    jobScale: buildJobScale(spec, template, hashDeferred(template, certificate)),
  };
}
