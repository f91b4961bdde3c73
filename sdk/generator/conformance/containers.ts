import { rowsIn, type RowText, testsOf } from "./row";

const batchJob = testsOf("unit/flux/scripts/batch");
const userCode = testsOf("unit/flux/scripts/userCode");
const mounts = testsOf("unit/minicluster/objects/volumes");
const sidecars = testsOf("unit/minicluster/objects/containers");
const manifests = testsOf("unit/operator/containers");
const service = testsOf("unit/minicluster/objects/service");
const environment = testsOf("unit/flux/scripts/environment");
const lead = testsOf("unit/flux/scripts/lead");
const commandLine = testsOf("unit/flux/scripts/commands");
const container = testsOf("unit/minicluster/parse/container");
const rules = testsOf("unit/minicluster/parse/containerRules");
const volumes = testsOf("unit/minicluster/parse/volume");

const image: RowText = {
  differs:
    "The operator's default image cannot run anything today; a manifest without an image gets it with a warning.",
};

const sources = "Of several sources the one that the operator takes is kept, with a warning.";

/** Fields of the volumes of a container. */
const volumeFields: Record<string, RowText> = {
  "volumes.*.path": {
    differs: "An emptyDir may have a path; the operator mounts every one at /dev/shm, which is the default here.",
    also: [volumes("a volume is writable, and an emptyDir stands where MPI looks for shared memory")],
  },
  "volumes.*.hostPath": { differs: sources },
  "volumes.*.configMapName": { differs: sources },
  "volumes.*.items": { also: [mounts("the volumes hold some keys of a ConfigMap")] },
  "volumes.*.claimName": { differs: sources },
  "volumes.*.secretName": { differs: sources },
  "volumes.*.readOnly": { differs: "Not for an emptyDir, which the operator mounts for writing." },
  "volumes.*.emptyDir": { also: [mounts("the volumes hold an emptyDir")] },
  "volumes.*.emptyDirMedium": { differs: '"memory" in small letters is read as "Memory".' },
  "volumes.*.emptyDirSizeLimit": {},
  "volumes.*.csiDriver": { also: [mounts("the volumes hold a CSI volume")] },
  "volumes.*.csiDriverAttributes": {},
};

/** Fields that mean the same in every container. */
const commonFields: Record<string, RowText> = {
  workingDir: {},
  imagePullSecret: {},
  imagePullPolicy: {
    also: [container("a container is pulled when the node does not have it, unless something else is said")],
  },
  pullAlways: {},
  environment: {},
  "secrets.*.name": {},
  "secrets.*.key": {},
  "lifeCycle.postStartExec": {},
  "lifeCycle.preStopExec": {},
  resources: {},
  securityContext: { differs: "All of it but `windowsOptions`, which is left out with a warning." },
  ...volumeFields,
};

const onLead = [userCode("pieces of the user's code run in order on rank 0, those of the other role not at all")];
const onFollower = [userCode("pieces of the user's code run in order on rank 1, those of the other role not at all")];

/** Fields of the containers of the brokers' pods. */
export const containerRows = rowsIn("spec.containers[]", {
  image,
  name: {
    differs: "The container that runs Flux is called like the cluster, as in the operator, whatever its name.",
    also: [sidecars("a sidecar is a native one: an init container that stays, and that the end of Flux ends")],
  },
  command: {
    differs: "`$` and backticks are expanded when the command runs; the operator expands them when the pod starts.",
    also: [commandLine('command line "task one && task two || task three" reaches the task as bash reads it')],
  },
  ports: {
    args: ["containers[].ports", "containers[].serviceName"],
    differs: "A sidecar's Service leads to the brokers' pods alone; the operator's to the pod of the services, too.",
    also: [
      manifests(
        "the containers of a v1alpha2 cluster name the Service that the operator makes for the ports of a sidecar, and of no other",
      ),
      service(
        "the service of a sidecar has that name, and leads to the ports of the sidecar alone, in every broker's pod and in no other",
      ),
    ],
  },
  runFlux: {
    also: [
      rules("the rules of containers on who runs Flux, and under which name refuses two containers that run Flux"),
    ],
  },
  launcher: { also: [lead("lead broker hands the command itself to the broker in launcher mode")] },
  batch: {
    differs: "The lead broker shows what the job prints, and ends with its exit status.",
    also: [
      batchJob("line of a batch job is each a job of its own"),
      batchJob("lead of a batch job has the user's options"),
    ],
  },
  batchRaw: {},
  logs: {
    also: [
      batchJob("lead of a batch job finds the directory of the output, and its name in the environment, on rank 0"),
      environment("directory for the output of jobs is there for a submitted command, and its name in the environment"),
    ],
  },
  noWrapEntrypoint: {
    differs:
      "The image's own command runs, as in the operator. In a program a command may be given, and runs as it is.",
  },
  "commands.prefix": { also: [lead("submit command comes after the prefix")] },
  "commands.script": {
    differs: "Not expanded when it is written: the operator's here-document puts in what `$` and backticks stand for.",
    also: [commandLine("script with an open here-document runs as it was given")],
  },
  "commands.init": { also: onLead },
  "commands.pre": { also: onLead },
  "commands.post": { also: onLead },
  "commands.workerPre": { also: onFollower },
  "commands.brokerPre": { also: onLead },
  "commands.servicePre": {
    differs: "For sidecars. The operator ignores it where Flux runs; so does the manifest reader, with a warning.",
    also: [rules("the rules of containers on commands refuses servicePre where Flux runs")],
  },
  ...commonFields,
});

const ignored: RowText = {
  args: [],
  differs:
    "The operator ignores it in a service, and so does the manifest reader, with a warning. In a program it has its " +
    "effect, where the reference says so.",
};
const meaningless: RowText = { args: [], differs: "Means nothing in a service; left out with a warning." };
const refused: RowText = { args: [], differs: "Refused in a service, as in the operator." };

/** Fields of the containers of the services pod. */
export const serviceRows = rowsIn("spec.services[]", {
  image,
  name: {},
  command: ignored,
  ports: { differs: "One Service for the pod has the ports of all." },
  runFlux: meaningless,
  launcher: meaningless,
  batch: meaningless,
  batchRaw: meaningless,
  logs: meaningless,
  noWrapEntrypoint: { args: [], differs: "Changes nothing: the operator wraps no service, and so it is read." },
  "commands.prefix": ignored,
  "commands.script": ignored,
  "commands.init": ignored,
  "commands.pre": refused,
  "commands.post": ignored,
  "commands.workerPre": refused,
  "commands.brokerPre": refused,
  "commands.servicePre": ignored,
  ...commonFields,
  imagePullSecret: { differs: "The operator does not pass it on. Here it pulls the image." },
});
