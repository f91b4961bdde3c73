import type * as pulumi from "@pulumi/pulumi";
import { hashDeferred } from "../../shared/deferred";
import { renderConfigFiles, renderServiceFiles } from "../flux/configFiles";
import type { MiniClusterSpec } from "../parse/spec";
import {
  buildConfigMap,
  buildConfigScale,
  buildEnvironmentSecret,
  buildSecret,
  hashCertificate,
  hashEnvironment,
} from "./config";
import { buildClaimTemplate, buildComputeDomain } from "../pool/objects/deviceClaims";
import { buildDisruptionBudget, buildJob, buildJobScale, replacingParts } from "./job";
import { buildNetworkPolicy, buildService, buildServicesService, buildSidecarServices } from "./network";
import { buildPodTemplate, buildServicesPod } from "./pods";
import { buildPrepull } from "./prepull";
import { buildPrograms, type ProgramWithSettings } from "./programs";

/** The core objects of a cluster except the objects of its groups, in the order of their dependencies. */
export type Manifests = ReturnType<typeof buildManifests>;

/** The objects of one Job of brokers, except the objects that it shares with groups. */
export type JobManifests = ReturnType<typeof buildJobManifests>;

/** The certificate of a cluster's brokers. */
export interface Certificate {
  text: pulumi.Output<string>;
  /** The text in base64, the encoding of a Secret. */
  data: pulumi.Output<string>;
}

/** Values that are only known later: they are placed, and never read. */
export interface LateValues {
  certificate: Certificate;
  /** `address:port` of a lead broker that runs elsewhere. */
  leadEndpoint?: pulumi.Output<string>;
  /** `address:port` of the lead broker's pod for the demand of the queue. */
  demandEndpoint?: pulumi.Output<string>;
  /** More data of the Secret with the certificate, in base64. */
  secretData?: Record<string, pulumi.Output<string>>;
  /** Other values of features, by their names. */
  features?: Record<string, unknown>;
}

/** The objects of a cluster, as plain data around the values that are only known later. */
export const buildManifests = (spec: MiniClusterSpec, late: LateValues, programs: ProgramWithSettings[] = []) => ({
  secret: buildSecret(spec, late.certificate.data, late.secretData),
  networkPolicy: buildNetworkPolicy(spec),
  service: buildService(spec),
  programs: buildPrograms(spec, programs),
  ...buildJobManifests(spec, late),
});

/** The objects of one Job of brokers, as plain data around the values that are only known later. */
export function buildJobManifests(spec: MiniClusterSpec, { certificate, leadEndpoint }: LateValues) {
  const { main, sidecars, services } = spec;
  const brokerFiles = renderConfigFiles(spec);
  const serviceFiles = renderServiceFiles(spec);
  const files = { ...brokerFiles, ...serviceFiles };
  const template = buildPodTemplate(spec, brokerFiles, {
    certificate: hashCertificate(certificate.text),
    environment: hashEnvironment([main, ...sidecars], certificate.text),
    leadEndpoint,
  });
  const replacing = replacingParts(spec, template);
  return {
    environment: buildEnvironmentSecret(spec),
    disruptionBudget: buildDisruptionBudget(spec),
    claimTemplate: buildClaimTemplate(spec),
    computeDomain: buildComputeDomain(spec),
    configMap: buildConfigMap(spec, files),
    configScale: buildConfigScale(spec, files),
    sidecarServices: buildSidecarServices(spec),
    servicesPod: buildServicesPod(spec, serviceFiles, hashEnvironment(services, certificate.text)),
    servicesService: buildServicesService(spec),
    prepull: buildPrepull(spec, template),
    job: buildJob(spec, template),
    jobScale: buildJobScale(spec, replacing, hashDeferred(replacing, certificate.text)),
  };
}
