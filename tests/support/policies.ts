import { sharedCluster } from "./sandboxHooks";

/** What a policy of the cluster rejects: operations on some resources for which the expression is false. */
export interface Denial {
  apiGroups: string[];
  operations: string[];
  resources: string[];
  expression: string;
  message: string;
}

/** Has the API server reject what a policy denies in a namespace, a while from now, and returns what ends it. */
export async function denyIn(namespace: string, denial: Denial): Promise<() => Promise<void>> {
  const { kube } = sharedCluster();
  const { expression, message, ...rule } = denial;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const name = `denial-${namespace}`;
  const policy = { apiVersion, kind: "ValidatingAdmissionPolicy", name };
  const binding = { apiVersion, kind: "ValidatingAdmissionPolicyBinding", name };
  await kube.create({
    ...policy,
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { resourceRules: [{ ...rule, apiVersions: ["*"] }] },
      validations: [{ expression, message }],
    },
  });
  const matchResources = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } };
  await kube.create({
    ...binding,
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"], matchResources },
  });
  return async () => {
    for (const ref of [binding, policy]) await kube.delete(ref);
  };
}
