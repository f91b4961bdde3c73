/** The conversion of one field of the Flux Operator's MiniCluster, version v1alpha2. */
export interface ConformanceRow {
  /** Path in the manifest. A field whose type is Kubernetes' own includes everything in it. */
  field: string;
  /** Paths of its arguments; empty if the field is not converted. */
  args: string[];
  /** Differences from the operator, or an empty text. */
  differs: string;
}

/** A row without its field; by default the argument has the field's own path, without `spec.`. */
type RowText = Partial<Omit<ConformanceRow, "field">>;

/** Rows of fields in one place. */
const rowsIn = (place: string, rows: Record<string, RowText>): ConformanceRow[] =>
  Object.entries(rows).map(([name, { args, differs = "" }]) => {
    const field = `${place}.${name}`;
    return { field, args: args ?? [field.replace(/^spec\./, "")], differs };
  });

const zeroIsUnset = "`0` is read as unset, as in the operator.";

const clusterRows = rowsIn("spec", {
  size: {},
  maxSize: { differs: zeroIsUnset },
  minSize: { differs: zeroIsUnset },
  tasks: {},
  deadlineSeconds: {},
  backoffLimit: {
    differs:
      "The default is 100, and a failed command is not retried, as in the operator; in a program it is 6, and the command " +
      `is retried. ${zeroIsUnset}`,
  },
  interactive: {},
  jobLabels: {},
  shareProcessNamespace: {},
  cleanup: { differs: "Removes the Job and its pods; the other objects are kept until the stack is destroyed." },
  "network.headlessName": {},
  "network.disableAffinity": {
    args: ["network.affinity"],
    differs:
      '`true` becomes "none", any other value "preferred", as in the operator. In a program it is "required". ' +
      "The operator also drops `pod.nodeAffinity` then; here it still applies.",
  },
  "logging.quiet": {},
  "logging.strict": { differs: "The default is false, as in the operator; in a program it is true." },
  "logging.debug": {},
  "logging.zeromq": {},
  "logging.timed": { differs: "Measured by the shell itself; the operator needs /usr/bin/time in the image." },
  "archive.path": {
    differs: "The file is restored and also saved; it is replaced when the new file is complete.",
  },
});

const image: RowText = {
  differs: "The operator's default image cannot run a command; a manifest without an image uses it, with a warning.",
};

const sources = "Of several sources, the source that the operator uses is kept, with a warning.";

const withoutWindows = "Without `windowsOptions`, which is ignored with a warning.";

/** Fields with the same meaning in every container. */
const commonFields: Record<string, RowText> = {
  workingDir: {},
  imagePullSecret: {},
  imagePullPolicy: {},
  environment: {},
  "secrets.*.name": {},
  "secrets.*.key": {},
  "lifeCycle.postStartExec": {},
  "lifeCycle.preStopExec": {},
  resources: {},
  securityContext: { differs: withoutWindows },
  "volumes.*.path": {
    differs: "An emptyDir may have a path; the operator mounts every emptyDir at /dev/shm, which is the default here.",
  },
  "volumes.*.hostPath": { differs: sources },
  "volumes.*.configMapName": { differs: sources },
  "volumes.*.items": {},
  "volumes.*.claimName": { differs: sources },
  "volumes.*.secretName": { differs: sources },
  "volumes.*.readOnly": { differs: "Ignored for an emptyDir, which the operator always mounts writable." },
  "volumes.*.emptyDir": {},
  "volumes.*.emptyDirMedium": { differs: 'Lowercase "memory" is read as "Memory".' },
  "volumes.*.emptyDirSizeLimit": {},
  "volumes.*.csiDriver": {},
  "volumes.*.csiDriverAttributes": {},
};

const pullsAlways = 'A program sets `imagePullPolicy` to "Always".';

const containerRows = rowsIn("spec.containers[]", {
  image,
  name: { differs: "The container that runs Flux has the name of the cluster, as in the operator." },
  command: {
    differs: "`$` and backticks are expanded when the command runs; the operator expands them when the pod starts.",
  },
  ports: {
    args: ["containers[].ports", "containers[].serviceName"],
    differs: "The Service of a sidecar selects only the brokers' pods; in the operator also the pod of the services.",
  },
  runFlux: {},
  launcher: {},
  batch: {
    differs:
      "The log of the lead broker has the output of the job, and the exit status of the job is the status of the command.",
  },
  batchRaw: {},
  logs: {},
  noWrapEntrypoint: {
    differs:
      "The entrypoint of the image runs, as in the operator. In a program, a command can be set, and runs unchanged.",
  },
  "commands.prefix": {},
  "commands.script": {
    differs: "Not expanded when it is written: the operator's here-document expands `$` and backticks.",
  },
  "commands.init": {},
  "commands.pre": {},
  "commands.post": {},
  "commands.workerPre": {},
  "commands.brokerPre": {},
  "commands.servicePre": {
    differs:
      "For sidecars. The operator and the manifest reader ignore it in the container that runs Flux, here with a warning.",
  },
  pullAlways: { args: ["containers[].imagePullPolicy"], differs: pullsAlways },
  ...commonFields,
});

const ignored: RowText = {
  args: [],
  differs:
    "The operator and the manifest reader ignore it in a service, here with a warning. In a program, the " +
    "reference describes its effect.",
};
const noEffect: RowText = { args: [], differs: "Has no effect in a service; ignored with a warning." };
const refused: RowText = { args: [], differs: "Rejected in a service, as in the operator." };

const serviceRows = rowsIn("spec.services[]", {
  image,
  name: {},
  command: ignored,
  ports: { differs: "One Service for the pod has the ports of all services." },
  runFlux: noEffect,
  launcher: noEffect,
  batch: noEffect,
  batchRaw: noEffect,
  logs: noEffect,
  noWrapEntrypoint: { args: [], differs: "No effect: the operator never wraps a service." },
  "commands.prefix": ignored,
  "commands.script": ignored,
  "commands.init": ignored,
  "commands.pre": refused,
  "commands.post": ignored,
  "commands.workerPre": refused,
  "commands.brokerPre": refused,
  "commands.servicePre": ignored,
  pullAlways: { args: ["services[].imagePullPolicy"], differs: pullsAlways },
  ...commonFields,
  imagePullSecret: { differs: "The operator does not use it. Here it pulls the image." },
});

const burstsInPrograms = "Only a manifest has it; a program has `bursting` and `BurstCluster`.";

const leadBroker =
  "The operator's template of the broker configuration has five placeholders for four values, so that no broker " +
  `can read the result. Here the whole configuration is rendered, with the host name of the lead broker. ${burstsInPrograms}`;

const lostDefault = "The operator does not apply its default.";

const notExpanded = "No shell expands it: `$` and backticks are kept, with a warning.";

const fluxRows = rowsIn("spec.flux", {
  "container.disable": {
    differs: "There is no init container; in the operator, the init container prepares the configuration.",
  },
  "container.name": {},
  "container.image": {},
  "container.mountPath": {},
  "container.workingDir": {},
  "container.pythonPath": {},
  "container.imagePullSecret": { differs: "The operator does not use it. Here it pulls the view." },
  "container.pullAlways": {},
  "container.resources": {},
  "container.securityContext": { differs: withoutWindows },
  arch: {
    differs:
      "No script of the operator uses it. Here it selects the view, selects nodes by `kubernetes.io/arch` and tolerates the " +
      "taint of ARM nodes. Other names are also accepted (`arm`, `aarch64`, `x86_64`).",
  },
  submitCommand: { differs: notExpanded },
  wrap: {},
  connectTimeout: {},
  optionFlags: { differs: notExpanded },
  minimalService: { args: [], differs: "As in the operator. Only a manifest has it." },
  disableSocket: {},
  topology: {},
  noWaitSocket: {},
  completeWorkers: {},
  logLevel: { differs: "`0` means 6, as in the operator; a program may set 0." },
  curveCert: { differs: "Stored in a Secret, and a secret in Pulumi's state. The operator stores it in a ConfigMap." },
  "scheduler.simple": {},
  "scheduler.queuePolicy": {},
  mungeSecret: {
    differs:
      "The operator does not use it. Here the key is mounted in the container that runs Flux, readable only by its owner.",
  },
  "bursting.leadBroker.address": { args: [], differs: leadBroker },
  "bursting.leadBroker.name": { args: [], differs: leadBroker },
  "bursting.leadBroker.size": { args: [], differs: leadBroker },
  "bursting.leadBroker.port": { args: [], differs: leadBroker },
  "bursting.hostlist": { args: [], differs: `As in the operator. ${burstsInPrograms}` },
  "bursting.clusters[].name": {
    args: [],
    differs: `The default is "burst-0" for the first, and so on. ${lostDefault} ${burstsInPrograms}`,
  },
  "bursting.clusters[].size": {
    args: [],
    differs: `The default is the \`maxSize\` of this cluster. ${lostDefault} ${burstsInPrograms}`,
  },
  brokerConfig: {
    differs:
      "The certificate and the description of the resources are written to the paths in its `bootstrap.curve_cert` and " +
      "`resource.path`. The configuration sets the fan-out of the tree; for a manifest, the fan-out is 256, as in the operator.",
  },
  environment: { differs: notExpanded },
});

const podRows = rowsIn("spec.pod", {
  annotations: {},
  labels: {},
  restartPolicy: { differs: "Applies to the brokers' pods. The pod of the services always restarts." },
  serviceAccountName: {},
  runtimeClassName: {},
  automountServiceAccountToken: {},
  schedulerName: {},
  nodeSelector: {},
  nodeAffinity: { differs: "Also applies with `network.disableAffinity`." },
  "tolerations[].key": {},
  "tolerations[].effect": {},
  "tolerations[].operator": {},
  "tolerations[].value": {},
  dnsPolicy: {},
  hostIPC: {},
  hostPID: {},
  resources: {
    args: ["pod.resources.limits", "pod.resources.requests"],
    differs:
      "The operator writes them to the pod's overhead. Here they are the pod's resources (Kubernetes 1.34 or newer), " +
      "as limits and as requests, with a warning.",
  },
  securityContext: {
    differs: "The operator uses only `fsGroup`. Here all fields except `windowsOptions` apply, with a warning.",
  },
});

/** Every field of the operator's MiniCluster, version v1alpha2, by section. */
export const conformance: Record<string, ConformanceRow[]> = {
  "The cluster": clusterRows,
  Containers: containerRows,
  Services: serviceRows,
  Flux: fluxRows,
  Pods: podRows,
};
