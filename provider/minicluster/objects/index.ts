import type * as pulumi from "@pulumi/pulumi";
import { hashDeferred } from "../../shared/hash";
import { renderConfigFiles, renderServiceFiles } from "../flux/configFiles";
import type { MiniClusterSpec } from "../parse/spec";
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

/** The certificate of a cluster's brokers. */
export interface Certificate {
  text: pulumi.Output<string>;
  /** The text in base64, as a Secret has it. */
  data: pulumi.Output<string>;
}

/** Values that are only known later: they are placed, and never read. */
export interface LateValues {
  certificate: Certificate;
  /** `address:port` of a lead broker that runs elsewhere. */
  leadEndpoint?: pulumi.Output<string>;
}

/** The objects of a cluster, as plain data around the values that are only known later. */
export function buildManifests(spec: MiniClusterSpec, { certificate, leadEndpoint }: LateValues) {
  const { main, sidecars, services } = spec;
  const brokerFiles = renderConfigFiles(spec);
  const serviceFiles = renderServiceFiles(spec);
  const files = { ...brokerFiles, ...serviceFiles };
  const template = buildPodTemplate(spec, brokerFiles, {
    certificate: hashCertificate(certificate.text),
    environment: hashEnvironment([main, ...sidecars], certificate.text),
    leadEndpoint,
  });
  return {
    secret: buildSecret(spec, certificate.data),
    environment: buildEnvironmentSecret(spec),
    networkPolicy: buildNetworkPolicy(spec),
    disruptionBudget: buildDisruptionBudget(spec),
    configMap: buildConfigMap(spec, files),
    configScale: buildConfigScale(spec, files),
    service: buildService(spec),
    sidecarServices: buildSidecarServices(spec),
    leadService: buildLeadService(spec),
    servicesPod: buildServicesPod(spec, serviceFiles, hashEnvironment(services, certificate.text)),
    servicesService: buildServicesService(spec),
    job: buildJob(spec, template),
    jobScale: buildJobScale(spec, template, hashDeferred(template, certificate.text)),
  };
}
