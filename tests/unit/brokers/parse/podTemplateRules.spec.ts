import assert from "node:assert/strict";
import { beside, itJudges } from "../../../support/cases";
import { aMiniClusterArgs } from "../../../support/fixtures";
import { problemsOf } from "../../../support/problems";

const onPods = beside("containers: [!broker {}, !side {}]");

describe("the rules of the pod template", () => {
  const late =
    "known before anything is created; this is an output or a secret: give the value itself, and what it waits for in the option " +
    "dependsOn (depends_on in Python)";

  describe("on its form", () => {
    itJudges(
      `
podTemplate: !later x
  podTemplate: must be an object with properties, ${late}
podTemplate: {kind: Pod, metadata: !later x, spec: !later x}
  podTemplate.kind: a pod template has metadata and spec; remove it or move it there
  podTemplate.{metadata,spec}: must be an object with properties, ${late}
podTemplate: {metadata: {annotations: [a]}, spec: {affinity, tolerations: [null], priority: .nan}}
  podTemplate.spec.{affinity,tolerations[0]}: must not be null; leave it out
  podTemplate.spec.priority: must be a string, a number, true or false, a list or an object
  podTemplate.metadata.annotations: must be an object with properties
# a template that says nothing
podTemplate: {metadata: !unset, spec: !unset}
# what a person may want
podTemplate: {metadata: {labels: {app: !later x}}, spec: {containers: [{name: demo, livenessProbe: {exec: {command: ["true"]}}, env: [{name: A, value: !later x}]}, {name: mine, image: !later x, command: [serve], restartPolicy: Always}], initContainers: [{name: flux-view, image: other}, {name: side, command: [other]}], volumes: [{name: scratch, ephemeral: !later x}], affinity: !later x, tolerations: [{operator: Exists}, {operator: Exists}]}}
`,
      onPods,
    );

    it("refuse what JSON does not have", () => {
      for (const value of [new Date(0), () => 1, 1n, Symbol("s")]) {
        const [problem] = problemsOf({ ...aMiniClusterArgs(), podTemplate: { spec: { priority: value } } });
        assert.match(problem?.reason ?? "", /^must be a string, a number, true or false, a list or an object$/);
      }
    });
  });

  describe("on lists that merge by keys", () => {
    itJudges(
      `
podTemplate: {spec: {volumes: !later x, imagePullSecrets: [{name: !later x}], topologySpreadConstraints: [{topologyKey: zone, maxSkew: 1}], containers: [{image: i}]}}
  podTemplate.spec.volumes: must be a list, ${late}
  podTemplate.spec.imagePullSecrets[0]: needs a plain name, by which the items of the list are merged
  podTemplate.spec.topologySpreadConstraints[0]: needs a plain topologyKey and whenUnsatisfiable, by which the items of the list are merged
  podTemplate.spec.containers[0]: needs a plain name, by which the items of the list are merged
podTemplate: {spec: {containers: [{name: demo, env: [{name: A}, !later x, {name: A}], ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}]}]}}
  podTemplate.spec.containers[0].env[1]: needs a plain name, by which the items of the list are merged
  podTemplate.spec.containers[0].env[2]: has the name of item 0 too
  podTemplate.spec.containers[0].ports[1]: has the containerPort and protocol of item 0 too
# a port with two protocols
podTemplate: {spec: {containers: [{name: demo, ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP}]}]}}
# labels that are called like lists
podTemplate: {metadata: {labels: {env: !later x, ports: a}, annotations: {volumes: !later x}}, spec: {nodeSelector: {claims: !later x}}}
# lists that say nothing
podTemplate: {spec: {volumes: !unset, containers: []}}
`,
      onPods,
    );
  });

  describe("on what the brokers stand on", () => {
    itJudges(
      String.raw`
podTemplate: {metadata: {labels: {job-name: x, batch.kubernetes.io/job-completion-index: x, minicluster/services: x}, annotations: {minicluster/config-hash: x}}}
  podTemplate.metadata.{labels["job-name"],labels["batch.kubernetes.io/job-completion-index"],labels["minicluster/services"],annotations["minicluster/config-hash"]}: is set by Kubernetes or by the component itself; choose another key
podTemplate: {spec: {hostname: x, setHostnameAsFQDN: true, hostNetwork: true, subdomain: x, restartPolicy: Never, terminationGracePeriodSeconds: 30, volumes: [{name: flux-view, emptyDir: {}}]}}
|drainTimeoutSeconds: 30
  podTemplate.spec.hostname: a broker finds its rank by the host name that Kubernetes gives it; remove it
  podTemplate.spec.setHostnameAsFQDN: a broker finds its rank by its short host name; remove it
  podTemplate.spec.hostNetwork: a pod on its node's network has the node's name, and its broker could not find its rank; remove it
  podTemplate.spec.subdomain: is the service of the brokers; set network.headlessName
  podTemplate.spec.restartPolicy: decides how failures are counted, too; set pod.restartPolicy
  podTemplate.spec.volumes[0].name: is one of the component's own volumes; choose another name
  podTemplate.spec.terminationGracePeriodSeconds: 30 s end before the 30 s of drainTimeoutSeconds; raise it, or lower drainTimeoutSeconds
podTemplate: {spec: {containers: [{name: demo, lifecycle: {preStop: {exec: {command: [x]}}}}]}}
  podTemplate.spec.containers[0].lifecycle.preStop: is where the rank is drained; set lifeCycle.preStopExec of the container, which runs after that, or drainTimeoutSeconds: 0
# pods with more time than their jobs
{drainTimeoutSeconds: 30, podTemplate: {spec: {terminationGracePeriodSeconds: 31}}}
# any hook where nothing is drained
podTemplate: {spec: {containers: [{name: demo, lifecycle: {preStop: {exec: {command: [x]}}}}]}}
|drainTimeoutSeconds: 0
`,
      onPods,
    );
  });

  describe("on containers and mounts", () => {
    itJudges(
      String.raw`
podTemplate: {spec: {containers: [{name: dmeo, env: []}, {name: side}], initContainers: [{name: demo}]}}
  podTemplate.spec.containers[0].name: the pods have no container "dmeo"; correct the name or give it an image
  podTemplate.spec.containers[1].name: "side" is in initContainers; move it there
  podTemplate.spec.initContainers[0].name: "demo" is in containers; move it there
{flux: {container: {disable: true}}, podTemplate: {spec: {initContainers: [{name: flux-view}]}}}
  podTemplate.spec.initContainers[0].name: the pods have no container "flux-view"; correct the name or give it an image
podTemplate: {spec: {containers: [{name: demo, command: [x], args: [x], startupProbe: {}, env: [{name: MINICLUSTER_SIZE, value: "1"}], volumeMounts: [{name: data, mountPath: /etc/minicluster}, {name: data, mountPath: /opt/software/x}, {name: data, mountPath: /mnt/flux/view}]}]}}
  podTemplate.spec.containers[0].{command,args,startupProbe}: is how the component runs this container; remove it
  podTemplate.spec.containers[0].env[0].name: is set by the component or by Kubernetes; choose another name
  podTemplate.spec.containers[0].volumeMounts[0].mountPath: /etc/minicluster is mounted by the component; choose another directory
  podTemplate.spec.containers[0].volumeMounts[1].mountPath: /opt/software is mounted by the component; choose another directory
  podTemplate.spec.containers[0].volumeMounts[2].mountPath: /mnt/flux is mounted by the component; choose another directory
podTemplate: {spec: {initContainers: [{name: flux-view, command: [x], args: [x], restartPolicy: Always}, {name: side, restartPolicy: [x]}]}}
  podTemplate.spec.initContainers[0].{command,args,restartPolicy}: is how the component runs this container; remove it
  podTemplate.spec.initContainers[1].restartPolicy: is how the component runs this container; remove it
{flux: {container: {mountPath: /flux}}, podTemplate: {spec: {containers: [{name: mine, image: i, volumeMounts: [{name: data, mountPath: /flux/x}]}]}}}
  podTemplate.spec.containers[0].volumeMounts[0].mountPath: /flux is mounted by the component; choose another directory
`,
      onPods,
    );
  });
});
