import * as pulumi from "@pulumi/pulumi";
import { clusterHostlist, connectCommand, diagnoseCommand, leadHost, logsCommand, topCommand } from "./hosts";
import type { Registered } from "./register";
import type { MiniClusterSpec } from "./parse/spec";
import { unlessFailed } from "./register/waiting";

/** Outputs of a cluster, with an error in place of the Job's name if the Job has failed. */
export function clusterOutputs(
  spec: MiniClusterSpec,
  { secret, service, job, waiting }: Registered,
  component: pulumi.ComponentResource,
) {
  return {
    // A secret label beside them makes no secret of the names.
    jobName: pulumi.unsecret(unlessFailed(spec, component, { job, waiting })),
    namespace: pulumi.unsecret(job.metadata.namespace),
    serviceName: service.metadata.name,
    secretName: secret.metadata.name,
    leadHost: pulumi.output(leadHost(spec)),
    hostlist: pulumi.output(clusterHostlist(spec)),
    size: pulumi.output(spec.size),
    maxSize: pulumi.output(spec.maxSize),
    connectCommand: pulumi.output(connectCommand(spec)),
    topCommand: pulumi.output(topCommand(spec)),
    logsCommand: pulumi.output(logsCommand(spec)),
    diagnoseCommand: pulumi.output(diagnoseCommand(spec)),
  };
}
