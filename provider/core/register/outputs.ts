import * as pulumi from "@pulumi/pulumi";
import { kubectlOf } from "../../diagnostics/kubectl";
import { unlessFailed } from "../diagnostics/waiting";
import { clusterHostlist, connectCommand, diagnoseCommand, leadHost, logsCommand, topCommand } from "../flux/hosts";
import { jobsOf, type MiniClusterSpec } from "../parse/spec";
import type { Registered } from "./feature";

/** Outputs of a cluster, with an error in place of the Job's name if the Job has failed. */
export function clusterOutputs(
  spec: MiniClusterSpec,
  { secret, service, job, waiting }: Registered,
  component: pulumi.ComponentResource,
) {
  const kubectl = pulumi.output(kubectlOf(component));
  return {
    // A secret label beside them does not make the names secret.
    jobName: pulumi.unsecret(unlessFailed(spec, component, { job, waiting })),
    namespace: pulumi.unsecret(job.metadata.namespace),
    serviceName: service.metadata.name,
    secretName: secret.metadata.name,
    leadHost: pulumi.output(leadHost(spec)),
    hostlist: pulumi.output(clusterHostlist(spec)),
    size: pulumi.output(sum(jobsOf(spec).map(({ size }) => size))),
    maxSize: pulumi.output(sum(jobsOf(spec).map(({ maxSize }) => maxSize))),
    largestPricePerHour: pulumi.output(spec.largestPricePerHour),
    connectCommand: kubectl.apply((start) => connectCommand(spec, start)),
    topCommand: kubectl.apply((start) => topCommand(spec, start)),
    logsCommand: kubectl.apply((start) => logsCommand(spec, start)),
    diagnoseCommand: kubectl.apply((start) => diagnoseCommand(spec, start)),
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
