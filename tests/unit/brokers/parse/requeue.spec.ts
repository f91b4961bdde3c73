import { aLeadBroker } from "../../../support/fixtures";
import { validating } from "../../../support/problems";

const { accepts, rejects } = validating();

const tooLong = (grace: number, drain: number) =>
  `requeue.graceSeconds: ${grace} s is longer than drainTimeoutSeconds (${drain}), after which the pod ends its ` +
  "jobs; lower it or raise drainTimeoutSeconds";

describe("the rules of requeue", () => {
  rejects({
    "requeue: the lead broker's cluster submits the jobs again; set it there": {
      requeue: {},
      containers: [{ image: "i" }],
      name: "burst",
      flux: { bursting: { leadBroker: aLeadBroker(), clusters: [{ name: "burst", size: 2 }] } },
    },
    [tooLong(31, 30)]: { requeue: { graceSeconds: 31 } },
    [tooLong(20, 0)]: { requeue: {}, drainTimeoutSeconds: 0 },
    "requeue.restarts: -1 must be an integer from 0 to 1000": { requeue: { restarts: -1 } },
  });
  accepts({
    "as much time as the drain has": { requeue: { graceSeconds: 120, signal: "TERM" }, drainTimeoutSeconds: 120 },
    "no time and no restart": { requeue: { graceSeconds: 0, restarts: 0 }, drainTimeoutSeconds: 0 },
  });
});
