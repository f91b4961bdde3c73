import * as assert from "node:assert/strict";
import { structureRule } from "../../../provider/kubernetes/structure";

describe("the fields of a pod template", () => {
  it("have their types", () => {
    const found: string[] = [];
    const template = {
      metadata: { labels: { a: 1 } },
      spec: {
        volumes: {},
        containers: [{ name: 1, ports: [{ containerPort: 1.5 }], resources: { limits: { cpu: "1GB" } } }],
      },
    };
    structureRule(template, "PodTemplateSpec", (path, message) => found.push(`${path.join(".")}: ${message}`));
    assert.deepEqual(found, [
      "metadata.labels.a: 1 must be a string",
      "spec.volumes: is a map; must be a list",
      "spec.containers.0.name: 1 must be a string",
      "spec.containers.0.ports.0.containerPort: 1.5 must be an integer of 32 bits",
      'spec.containers.0.resources.limits.cpu: "1GB" must be a Kubernetes quantity such as "4", "500m" or "8Gi", ' +
        'never "8GB"',
    ]);
  });
});
