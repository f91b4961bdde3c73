import { textFile } from "../../../shared/textFile";

/** Module of both sides, by which they authenticate each other. */
const signing = { "signing.py": textFile(__dirname, "signing.py") };

/** Module of both programs of the lead broker's pod. */
const decisions = { "decisions.py": textFile(__dirname, "decisions.py") };

/** Module of both programs of the lead broker's pod that reads the journal of Flux. */
const journal = { "journal.py": textFile(__dirname, "journal.py") };

/** Program of the agent's pod, `agent.py`, with its modules: sets the size of one Job, by Python's standard library alone. */
export const agentTexts = {
  "agent.py": textFile(__dirname, "agent.py"),
  "budget.py": textFile(__dirname, "budget.py"),
  "deciding.py": textFile(__dirname, "deciding.py"),
  ...signing,
};

/** Modules of the program `demand.py` that submit jobs again that have lost a host. */
export const requeueText = { "requeue.py": textFile(__dirname, "requeue.py"), ...journal };

/** Module of the program `demand.py` that moves pending jobs from queue to queue, and the plugin of Flux that it adds. */
export const placingText = {
  "frobnicator.py": textFile(__dirname, "frobnicator.py"),
  "intake.py": textFile(__dirname, "intake.py"),
  "placing.py": textFile(__dirname, "placing.py"),
};

/** Modules of the program `demand.py` that write the state of an instance to its volume, and watch the volume. */
export const storedTexts = {
  "checkpoint.py": textFile(__dirname, "checkpoint.py"),
  "volume.py": textFile(__dirname, "volume.py"),
  ...journal,
};

/** Module of both programs of the lead broker's pod that counts what jobs cost. */
const costs = { "costs.py": textFile(__dirname, "costs.py") };

/** Modules of the program `demand.py` that count what jobs cost. */
export const chargingText = { "charging.py": textFile(__dirname, "charging.py"), ...costs, ...journal };

/** Program of the lead broker's pod that serves the REST API, `console.py`, with its modules and the web page, which `flux/page` has the sources of. */
export const consoleTexts = {
  "accounts.py": textFile(__dirname, "accounts.py"),
  "arguments.py": textFile(__dirname, "arguments.py"),
  "board.py": textFile(__dirname, "board.py"),
  "bridge.py": textFile(__dirname, "bridge.py"),
  "console.py": textFile(__dirname, "console.py"),
  ...costs,
  ...decisions,
  "hosts.py": textFile(__dirname, "hosts.py"),
  ...journal,
  "openapi.json": textFile(__dirname, "openapi.json"),
  "outputs.py": textFile(__dirname, "outputs.py"),
  // Built by `npm run prepare`, which a fresh clone has not run: read by clusters with a console alone.
  get "page.html"() {
    return textFile(__dirname, "page.html");
  },
  "page.py": textFile(__dirname, "page.py"),
  "planning.py": textFile(__dirname, "planning.py"),
  "serving.py": textFile(__dirname, "serving.py"),
  "submission.py": textFile(__dirname, "submission.py"),
};

/** Program of the lead broker's pod, `demand.py`, with its modules: serves the demand and metrics, by the bindings of Flux. */
export const leadTexts = {
  ...decisions,
  "demand.py": textFile(__dirname, "demand.py"),
  "metrics.py": textFile(__dirname, "metrics.py"),
  "planning.py": textFile(__dirname, "planning.py"),
  "serving.py": textFile(__dirname, "serving.py"),
  "state.py": textFile(__dirname, "state.py"),
  ...signing,
};
