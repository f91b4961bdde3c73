import { configFile } from "../../core/parse/paths";
import { sourceText } from "../../shared/sources";

const script = "queue.sh";

/**
 * The program that reads the queue, and the script that runs it. A directory of a program is in Python's path: a file with the name of
 * a module, such as `queue.py`, would replace that module of Python.
 */
export const queueScripts = {
  [script]: sourceText("forecast/flux/scripts/queue.sh"),
  "read-queue.py": sourceText("forecast/programs/queue.py"),
};

/** The command that prints the reading of the queue in the container of the lead broker. */
export const queueCommand = ["bash", configFile(script)];
