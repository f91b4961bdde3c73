import { rowsIn, testsOf } from "./row";

const archive = testsOf("unit/flux/scripts/archive");
const affinity = testsOf("unit/minicluster/objects/affinity");
const job = testsOf("unit/minicluster/objects/job");
const service = testsOf("unit/minicluster/objects/service");
const userCode = testsOf("unit/flux/scripts/userCode");
const lead = testsOf("unit/flux/scripts/lead");
const logging = testsOf("unit/flux/scripts/logging");
const rules = testsOf("unit/minicluster/parse/rules");
const registrations = testsOf("component/registrations");

const atFront = "`0` is read as not given, as the operator takes it.";

/** Fields of the cluster as a whole. */
export const clusterRows = [
  ...rowsIn("spec", {
    size: { also: [registrations("what a cluster registers leaves the size to the patches")] },
    maxSize: { differs: atFront, also: [rules("the rules between properties refuses a size above maxSize")] },
    minSize: {
      differs: atFront,
      also: [lead("tasks and nodes of the submitted command leave the quorum at minSize where it is given")],
    },
    tasks: { also: [lead("tasks and nodes of the submitted command 9 tasks at size 4 are -N 4 -n 9")] },
    deadlineSeconds: { also: [job("the Job passes on limits and suspension")] },
    backoffLimit: {
      differs: `Left out it is 100, as in the operator; in a program it is 6. ${atFront}`,
    },
    interactive: { also: [lead("lead broker keeps an interactive cluster up with no initial program")] },
    jobLabels: { also: [job("the Job has the user's labels beside its own, and its pods have not")] },
    shareProcessNamespace: {},
    cleanup: { differs: "Removes the Job and its pods; the other objects stay until the stack removes them." },
    "network.headlessName": { also: [service("the service has the name that the pods have as their subdomain")] },
    "network.disableAffinity": {
      args: ["network.affinity"],
      differs:
        '`true` becomes "none", anything else "preferred", which is what the operator does. In a program it is "required". ' +
        "The operator also drops `pod.nodeAffinity` beside it; here that counts.",
      also: [affinity("affinity preferred says how the pods keep apart")],
    },
    "logging.quiet": {
      also: [logging("log of a pod has nothing but the command's output and post's in a quiet cluster")],
    },
    "logging.strict": {
      differs: "Left out it is false, as in the operator; in a program it is true.",
      also: [userCode("strict mode stops at a variable that is not set")],
    },
    "logging.debug": { also: [lead("submit command follows debug")] },
    "logging.zeromq": { also: [lead("broker options follow zeromq on rank 0")] },
    "logging.timed": { differs: "Measured by the shell itself; the operator needs /usr/bin/time in the image." },
    "archive.path": {
      differs: "A file is saved as well as restored; the former one is replaced when the new one is whole.",
      also: [
        archive("lead broker with an archive restores the one that is there"),
        archive("archive takes the place of the former one at once"),
      ],
    },
  }),
];
