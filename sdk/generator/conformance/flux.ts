import { rowsIn, testsOf } from "./row";

const bursting = testsOf("unit/flux/bursting");
const customConfig = testsOf("unit/flux/scripts/customConfig");
const joining = testsOf("unit/flux/scripts/bursting");
const sidecar = testsOf("unit/flux/scripts/sidecar");
const view = testsOf("unit/flux/scripts/view");
const engineSecurity = testsOf("engine/security");
const lead = testsOf("unit/flux/scripts/lead");
const follower = testsOf("unit/flux/scripts/follower");
const environment = testsOf("unit/flux/scripts/environment");
const brokerConfig = testsOf("unit/flux/brokerConfig");
const spec = testsOf("unit/minicluster/parse/flux");

const leadBroker =
  "The operator's broker configuration has five places for four values here, so that no broker can read it. " +
  "Here it is rendered whole, with the lead broker under the name of its own host.";

const lostDefault = "The operator's default is lost on its way.";

const notRead = "No shell reads it, so `$` and backticks stay as they are; a warning says so.";

/** Fields of the brokers. */
export const fluxRows = rowsIn("spec.flux", {
  "container.disable": {
    differs: "There is no init container; the operator's prepares the configuration.",
    also: [environment("environment of the broker is the image's own where the view is disabled")],
  },
  "container.name": {},
  "container.image": {},
  "container.mountPath": { also: [view("view script works at a mount path that bash would take apart")] },
  "container.workingDir": {},
  "container.pythonPath": { also: [environment("environment of the broker has the modules at pythonPath")] },
  "container.imagePullSecret": { differs: "The operator does not pass it on. Here it pulls the view." },
  "container.pullAlways": {},
  "container.resources": {},
  "container.securityContext": { differs: "All of it but `windowsOptions`, which is left out with a warning." },
  arch: {
    differs:
      "No script of the operator's uses it. Here it picks the view, selects nodes by `kubernetes.io/arch` and tolerates the " +
      "taint of ARM nodes. Other names are read, too (`arm`, `aarch64`, `x86_64`).",
    also: [spec("the settings of Flux chooses the ARM view on ARM nodes")],
  },
  submitCommand: { differs: notRead, also: [lead("submit command follows submitCommand")] },
  wrap: { also: [lead("broker options follow wrap on rank 0")] },
  connectTimeout: { also: [lead("broker options follow connectTimeout on rank 0")] },
  optionFlags: { differs: notRead, also: [lead("submit command follows optionFlags, word by word")] },
  minimalService: { also: [bursting("minimal service is where the lead is reached, whose own name nobody knows")] },
  disableSocket: { also: [lead("broker options follow disableSocket on rank 0")] },
  topology: { also: [lead("broker options follow topology on rank 0")] },
  noWaitSocket: { also: [sidecar("sidecar starts at once with noWaitSocket, in the environment of flux-view.sh")] },
  completeWorkers: { also: [follower("follower ends with its broker, whatever its status, with completeWorkers")] },
  logLevel: {
    differs: "`0` is read as 6, as the operator takes it; a program may ask for 0.",
    also: [lead("broker options follow logLevel on rank 0")],
  },
  curveCert: {
    differs: "Lies in a Secret, and is a secret in Pulumi's state. The operator puts it into a ConfigMap.",
    also: [engineSecurity("The certificate that a user gives is used as it is, and shown as little")],
  },
  "scheduler.simple": {
    also: [brokerConfig("broker configuration has nothing of Fluxion with the simple scheduler")],
  },
  "scheduler.queuePolicy": {
    also: [brokerConfig("broker configuration has the queue policy that was asked for")],
  },
  mungeSecret: {
    differs: "The operator does not use it. Here the key is mounted where Flux runs, for its owner alone.",
  },
  "bursting.leadBroker.address": {
    differs: leadBroker,
    also: [
      joining(
        "cluster whose lead broker is in another one follows with index 0, with the options of the lead's own followers",
      ),
    ],
  },
  "bursting.leadBroker.name": { differs: leadBroker },
  "bursting.leadBroker.size": { differs: leadBroker },
  "bursting.leadBroker.port": { differs: leadBroker },
  "bursting.hostlist": {
    also: [bursting("hosts of an instance over clusters are those of the hostlist, on both sides")],
  },
  "bursting.clusters[].name": {
    differs: `Left out it is "burst-0" for the first, and so on. ${lostDefault}`,
    also: [
      bursting(
        "hosts of an instance over clusters are those of the lead's cluster, and then those of the others in their order",
      ),
    ],
  },
  "bursting.clusters[].size": {
    differs: `Left out it is the \`maxSize\` of this cluster. ${lostDefault}`,
    also: [
      bursting(
        "hosts of an instance over clusters are named and counted like the lead's cluster where nothing else is said",
      ),
    ],
  },
  brokerConfig: {
    differs:
      "The certificate and the description of the resources are put where its `bootstrap.curve_cert` and " +
      "`resource.path` say. The fan-out of the tree is the configuration's; a manifest keeps the operator's, 256.",
    also: [customConfig("broker with a configuration of the user's reads the text as it was given")],
  },
  environment: {
    differs: notRead,
    also: [
      environment(
        "environment of flux.environment reaches the broker and the user's code, as it was given, with a view",
      ),
    ],
  },
});
