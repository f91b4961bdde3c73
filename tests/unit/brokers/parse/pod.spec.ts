import { validating } from "../../../support/problems";

const { rejects } = validating();

describe("the pod's settings", () => {
  rejects({
    'pod.tolerations[0].key: a toleration without a key needs operator "Exists"; add a key or the operator': {
      pod: { tolerations: [{ effect: "NoSchedule" }] },
    },
    'pod.tolerations[0].value: operator "Exists" takes no value; remove it or use "Equal"': {
      pod: { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
    },
    "pod.nodeAffinity.zone: needs at least one value; add one or remove the label": {
      pod: { nodeAffinity: { zone: [] } },
    },
    ['pod.nodeAffinity.zone[0]: "a b" must be a label value: at most 63 letters, digits, -, _ and ., with a letter ' +
    "or " +
    "digit at both ends"]: { pod: { nodeAffinity: { zone: ["a b"] } } },
    ['pod.labels["bad key"]: "bad key" must be a key such as app or example.com/app: at most 63 letters, digits, -, ' +
    "_ " +
    "and . after an optional DNS prefix"]: { pod: { labels: { "bad key": "x" } } },
    ['pod.nodeSelector.pool: "-" must be a label value: at most 63 letters, digits, -, _ and ., with a letter or ' +
    "digit at both ends"]: { pod: { nodeSelector: { pool: "-" } } },
    ['pod.serviceAccountName: "My_Account" must be the name of a Kubernetes object: a-z, 0-9, - and ., with a letter ' +
    "or digit at both ends"]: { pod: { serviceAccountName: "My_Account" } },
  });
});
