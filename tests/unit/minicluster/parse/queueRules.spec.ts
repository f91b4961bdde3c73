import { itJudges } from "../../../support/cases";

describe("the rules of a queue of Kueue", () => {
  itJudges(String.raw`
gang: {queueName: Users}
  gang.queueName: "Users" must be the name of a Kubernetes object that fits in a label: at most 63 of a-z, 0-9, - and ., with a letter or digit at both ends
gang: {elastic: false}
  gang.elastic: requires gang.queueName; set it, or remove elastic
gang: {topology: {unconstrained: true}}
  gang.topology: requires gang.queueName; set it, or remove topology
gang: {queueName: hpc, topology: {}}
  gang.topology: asks for nothing; set required, preferred or unconstrained, or remove it
gang: {queueName: hpc, topology: {unconstrained: false}}
  gang.topology: asks for nothing; set required, preferred or unconstrained, or remove it
gang: {queueName: hpc, elastic: false, topology: {required: example.com/rack, preferred: example.com/rack}}
  gang.topology.preferred: Kueue takes one request of a topology; keep this one or gang.topology.required
{gang: {queueName: hpc, elastic: false, topology: {unconstrained: true}}, pod: {annotations: {kueue.x-k8s.io/podset-unconstrained-topology: "true"}}}
  pod.annotations["kueue.x-k8s.io/podset-unconstrained-topology"]: Kueue takes one request of a topology; keep this one or gang.topology.unconstrained
gang: {queueName: hpc, topology: {required: example.com/rack}}
  gang.topology.required: Kueue does not resize a Job while it runs that it places by a topology; set gang.elastic to false, and each resize stops all brokers, or remove this
{gang: {queueName: hpc}, podTemplate: {metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: example.com/rack}}}}
  podTemplate.metadata.annotations["kueue.x-k8s.io/podset-required-topology"]: Kueue does not resize a Job while it runs that it places by a topology; set gang.elastic to false, and each resize stops all brokers, or remove this
{gang: {queueName: hpc}, jobLabels: {kueue.x-k8s.io/max-exec-time-seconds: "0"}}
  jobLabels["kueue.x-k8s.io/max-exec-time-seconds"]: "0" must be a number of seconds, at least 1
{gang: {queueName: hpc}, jobLabels: {kueue.x-k8s.io/max-exec-time-seconds: 1h}}
  jobLabels["kueue.x-k8s.io/max-exec-time-seconds"]: "1h" must be a number of seconds, at least 1
# a queue with a dot in its name
gang: {queueName: hpc.users}
# a rack for a cluster that is stopped for a resize, any nodes, and a level that is only known later
gang: {queueName: hpc, elastic: false, topology: {required: example.com/rack}}
gang: {queueName: hpc, elastic: false, topology: {unconstrained: true}}
gang: {queueName: hpc, elastic: false, topology: {preferred: !later "example.com/rack"}}
# a request among the annotations, without a queue
pod: {annotations: {kueue.x-k8s.io/podset-required-topology: example.com/rack}}
# a longest run
{gang: {queueName: hpc}, jobLabels: {kueue.x-k8s.io/max-exec-time-seconds: "3600"}}
`);
});
