import { renderCurveCertificate } from "../../../../provider/minicluster/flux/curve";
import { resourcesSample, securitySample } from "./containers";
import type { Sample } from "./reading";

const view = "pod.initContainers[flux-view]";
const sidecar = {
  "spec.containers[0].runFlux": true,
  "spec.containers[1]": { name: "side", image: "busybox", command: "sleep 9" },
};
const otherLead = { ".name": "lead", ".size": 4, "spec.flux.bursting.clusters[0].name": "demo" };
const joined = { ...otherLead, "spec.containers[0].command": undefined };
const leadAt = { ...joined, ".address": "10.0.0.1" };

export const fluxSamples: Record<string, Sample> = {
  "container.disable": { value: true, hides: [`${view}.image: `, "view.sh: ", "/mnt/flux/view/bin"] },
  "container.name": { value: "brings-flux", shows: ['pod.initContainers[brings-flux].name: "brings-flux"'] },
  "container.image": { value: "view:rocky", shows: [`${view}.image: "view:rocky"`] },
  "container.mountPath": { value: "/flux", shows: [`${view}.volumeMounts[flux-view].mountPath: "/flux"`] },
  "container.workingDir": { value: "/work", shows: [`${view}.workingDir: "/work"`] },
  "container.pythonPath": { value: "/py", shows: ['broker.sh: export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}"/py'] },
  "container.imagePullSecret": { value: "registry", shows: ['pod.imagePullSecrets[registry].name: "registry"'] },
  "container.pullAlways": { value: true, shows: [`${view}.imagePullPolicy: "Always"`] },
  "container.resources": resourcesSample(view),
  "container.securityContext": securitySample(view)["securityContext"]!,
  arch: {
    value: "arm",
    shows: [
      'pod.nodeSelector.kubernetes.io/arch: "arm64"',
      `${view}.image: "ghcr.io/converged-computing/flux-view-ubuntu:arm-noble"`,
    ],
  },
  submitCommand: { value: "flux run", shows: ["broker.sh: run"] },
  wrap: { value: "strace,-f", shows: ["broker.sh: run flux start --wrap=strace,-f"] },
  connectTimeout: { value: "9s", shows: ["broker.sh: -Stbon.connect_timeout=9s"] },
  optionFlags: { value: "-o cpu-affinity=per-task", shows: ["broker.sh: cpu-affinity=per-task"] },
  minimalService: { value: true, shows: ['service.spec.type: "ClusterIP"'] },
  disableSocket: { value: true, shows: ['flux-view.sh: export fluxsocket=local:///mnt/flux/config/run/flux/local-"'] },
  topology: { value: "kary:2", shows: ["broker.sh: -Stbon.topo=kary:2"] },
  noWaitSocket: { value: true, beside: sidecar, hides: ["side.start.sh: until [[ -S $socket ]]"] },
  completeWorkers: { value: true, shows: ['log "the broker ended with status $result"'] },
  logLevel: { value: 3, shows: ["broker.sh: -Slog-stderr-level=3"] },
  curveCert: { value: renderCurveCertificate("demo", Buffer.alloc(32, 7)), shows: ["args.flux.curveCert: (output)"] },
  "scheduler.simple": { value: true, hides: ["broker.sh: export FLUX_RC_EXTRA", "broker.toml: queue-policy"] },
  "scheduler.queuePolicy": { value: "easy", shows: ['broker.toml: queue-policy = "easy"'] },
  mungeSecret: {
    value: "munge",
    shows: [
      'pod.volumes[minicluster-munge].secret.secretName: "munge"',
      'pod.containers[demo].volumeMounts[minicluster-munge].mountPath: "/etc/munge/munge.key"',
    ],
  },
  "bursting.leadBroker.address": { value: "10.0.0.1", beside: joined, shows: ["tcp://10.0.0.1:8050"] },
  "bursting.leadBroker.name": { value: "first", beside: leadAt, shows: ['host = "first-0"'] },
  "bursting.leadBroker.size": { value: 5, beside: leadAt, shows: ["lead-[1-4]"] },
  "bursting.leadBroker.port": { value: 30850, beside: leadAt, shows: ["tcp://10.0.0.1:30850"] },
  "bursting.hostlist": { value: "demo-0,node[1-4]", shows: ["broker.sh: flux R encode --hosts='demo-0,node[1-4]'"] },
  "bursting.clusters[].name": { value: "cloud", shows: ["demo-0,cloud-0"] },
  "bursting.clusters[].size": { value: 3, shows: ["demo-0,burst-0-[0-2]"] },
  brokerConfig: {
    value: '[bootstrap]\ncurve_cert = "/x/curve.cert"\n',
    shows: ['broker.toml: curve_cert = "/x/curve.cert"'],
  },
  environment: { value: { LEVEL: "3" }, shows: ["flux-view.sh: export LEVEL=3"] },
};
