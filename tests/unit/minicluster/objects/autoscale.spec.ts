import { itBuilds } from "../../../support/manifests";

describe("the agent that sets the size", () => {
  itBuilds(`
# may get and patch one Job, and nothing else
{interactive: true, size: !unset , maxSize: !unset , autoscale: {max: 4}}
  agent.account.automountServiceAccountToken: false
  agent.role.rules: [{apiGroups: [batch], resources: [jobs], resourceNames: [demo], verbs: [get, patch]}]
  agent.binding: !has {roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: demo-autoscale}, subjects: [{kind: ServiceAccount, name: demo-autoscale, namespace: default}]}
  agent.deployment.spec.template.spec: !has {serviceAccountName: demo-autoscale, automountServiceAccountToken: true}
# reads its program, and the key that it and the lead broker's pod have
{interactive: true, size: !unset , maxSize: !unset , autoscale: {max: 4}}
  programs.metadata.name: demo-programs
  agent.secret: !has {type: Opaque}
  agent.secret.metadata.name: demo-autoscale
  agent.deployment.spec.template.spec.volumes: [{name: minicluster-programs, projected: {sources: [{configMap: {name: demo-programs}}, {secret: {name: demo-autoscale}}]}}]
  agent.deployment.spec.template.spec.containers[0].volumeMounts: [{name: minicluster-programs, mountPath: /etc/minicluster/programs, readOnly: true}]
# comes only where the size follows the queue
interactive: true
  agent: !unset
`);
});
