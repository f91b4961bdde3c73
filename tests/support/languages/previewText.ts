/** The part of an operation's text about one resource. */
export interface ShownStep {
  /** As in the text: create, update, same and so on. */
  op: string;
  urn: string;
  /** The lines on its properties, without those on its outputs and its provider, and without their indentation. */
  lines: string[];
}

/** The text of an operation for users. */
export interface ShownText {
  /** By URN, for resources are shown in the order in which they happen to be registered. */
  steps: ShownStep[];
  /** The lines on the outputs of the stack. */
  outputs: string[];
  /** The lines that count the steps. */
  counts: string[];
}

const header = /^ *\S* ?[\w-]+:[\w/.-]*:?\w+: \(([\w-]+)\)/;

/** Lines between those of properties. The last kind says that the engine still works, and comes while it is slow. */
const isNoProperty = /^ *\[(id|provider)=|^@ /;

/** Reads the text that the engine writes with `--diff`. */
export function readText(text: string): ShownText {
  const steps: ShownStep[] = [];
  const shown: ShownText = { steps, outputs: [], counts: [] };
  // Where a line belongs that is neither the first of a step nor a heading.
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    const op = header.exec(line)?.[1];
    const urn = /^ *\[urn=(.*)\]$/.exec(line)?.[1];
    const step = steps.at(-1);
    if (op) {
      lines = [];
      steps.push({ op, urn: "", lines });
    } else if (urn !== undefined && step) step.urn = urn;
    else if (/^ {4}--outputs:--$/.test(line)) lines = shown.outputs;
    else if (/^ +--outputs:--$/.test(line)) lines = [];
    else if (/^Resources:$/.test(line)) lines = shown.counts;
    else if (line.trim() !== "" && !isNoProperty.test(line)) lines.push(line.trim());
  }
  steps.sort((one, other) => (one.urn < other.urn ? -1 : 1));
  return shown;
}

/** The steps that are more than "same", each as `op Kind name`. */
export const shownChanges = ({ steps }: ShownText) =>
  steps.filter(({ op }) => op !== "same").map((step) => `${step.op} ${kindAndName(step)}`);

/** The changed properties of the resource of a kind, each a line of the text. */
export function shownDiff({ steps }: ShownText, kind: string): string[] {
  const found = steps.filter((step) => step.op !== "same" && kindAndName(step).startsWith(`${kind} `));
  return found.flatMap(({ lines }) => lines.filter((line) => / => /.test(line)));
}

const kindAndName = ({ urn }: ShownStep) => urn.split("::").slice(-2).join(" ").replace(/^.*:/, "");
