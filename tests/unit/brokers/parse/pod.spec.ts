import { itValidates } from "../../../support/problems";

describe("the pod's settings", () => {
  itValidates([
    {
      name: "a toleration without key and operator",
      args: { pod: { tolerations: [{ effect: "NoSchedule" }] } },
      errors: ['pod.tolerations[0].key: a toleration without a key needs operator "Exists"; add a key or the operator'],
    },
    {
      name: "a value beside the operator Exists",
      args: { pod: { tolerations: [{ key: "a", operator: "Exists", value: "b" }] } },
      errors: ['pod.tolerations[0].value: operator "Exists" takes no value; remove it or use "Equal"'],
    },
    {
      name: "a node affinity without values",
      args: { pod: { nodeAffinity: { zone: [] } } },
      errors: ["pod.nodeAffinity.zone: needs at least one value; add one or remove the label"],
    },
    {
      name: "a node affinity value that is no label value",
      args: { pod: { nodeAffinity: { zone: ["a b"] } } },
      errors: [
        'pod.nodeAffinity.zone[0]: "a b" must be a label value: at most 63 letters, digits, -, _ and ., with a ' +
          "letter or digit at both ends",
      ],
    },
    {
      name: "a label key with a space",
      args: { pod: { labels: { "bad key": "x" } } },
      errors: [
        'pod.labels["bad key"]: "bad key" must be a key such as app or example.com/app: at most 63 letters, ' +
          "digits, -, _ and . after an optional DNS prefix",
      ],
    },
    {
      name: "a node selector value that is no label value",
      args: { pod: { nodeSelector: { pool: "-" } } },
      errors: [
        'pod.nodeSelector.pool: "-" must be a label value: at most 63 letters, digits, -, _ and ., with a letter ' +
          "or digit at both ends",
      ],
    },
    {
      name: "a service account with a capital letter",
      args: { pod: { serviceAccountName: "My_Account" } },
      errors: [
        'pod.serviceAccountName: "My_Account" must be the name of a Kubernetes object: a-z, 0-9, - and ., with a ' +
          "letter or digit at both ends",
      ],
    },
  ]);
});
