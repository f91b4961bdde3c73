import { validating } from "../../../support/problems";

describe("the pod's settings", () => {
  const { rejects } = validating();
  rejects({
    'pod.tolerations[0].key: a toleration without a key needs operator "Exists"…': {
      pod: { tolerations: [{ effect: "NoSchedule" }] },
    },
    'pod.tolerations[0].value: operator "Exists" takes no value; remove it or use "Equal"': {
      pod: { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
    },
    "pod.nodeAffinity.zone: needs at least one value…": { pod: { nodeAffinity: { zone: [] } } },
    'pod.nodeAffinity.zone[0]: "a b" must be a label value…': { pod: { nodeAffinity: { zone: ["a b"] } } },
    'pod.labels["bad key"]: "bad key" must be a key such as app or example.com/app…': {
      pod: { labels: { "bad key": "x" } },
    },
    'pod.nodeSelector.pool: "-" must be a label value…': { pod: { nodeSelector: { pool: "-" } } },
    'pod.serviceAccountName: "My_Account" must be the name of…': { pod: { serviceAccountName: "My_Account" } },
  });
});
