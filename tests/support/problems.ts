import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstClusterArgs, MiniClusterArgs, MiniClusterManifestArgs, StudyArgs } from "../../provider";
import { admissionRules } from "../../provider/core/diagnostics/admission";
import { parseBurstClusterArgs } from "./specs";
import { parseMiniClusterArgs } from "./specs";
import { checkCluster } from "../../provider/minicluster/cluster";
import { readSource } from "../../provider/operator/read";
import type { InputProblem } from "../../provider/shared/errors";
import { parseStudyArgs } from "../../provider/study/parse";
import { aMiniClusterArgs } from "./fixtures";

/** All problems of a parse. Any error but an InputPropertiesError is thrown. */
export function problemsOfParse(parse: () => unknown): InputProblem[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    assert.ok(error.errors.length > 0, "it is rejected without an error");
    return error.errors;
  }
}

/** All problems of a cluster's arguments. */
export const problemsOf = (args: unknown) =>
  problemsOfParse(() => parseMiniClusterArgs("demo", args as MiniClusterArgs, admissionRules));

/** The same of a cluster that joins. */
export const burstProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseBurstClusterArgs("cloud", args as BurstClusterArgs, admissionRules));

/** The same of a study. */
export const studyProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseStudyArgs("demo", args as StudyArgs, checkCluster));

/** The same of a manifest and its overrides. */
export const manifestProblemsOf = (args: unknown) =>
  problemsOfParse(() => readSource("demo", args as MiniClusterManifestArgs));

/** Arguments of a cluster. A pod template may have values of any type, as in languages without types. */
export type LooseArgs = Omit<Partial<MiniClusterArgs>, "podTemplate"> & { podTemplate?: unknown };

/** Messages in which each part omitted from the wanted one ("…") is replaced, and which are otherwise equal. */
export const abbreviated = (messages: string[], wanted: string[]) =>
  messages.map((message, index) => {
    const parts = (wanted[index] ?? "").split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join("[^]*")}$`).test(message) ? wanted[index] : message;
  });

/** Tests of arguments by the messages that they cause, of which parts may be omitted ("…"). */
export function expecting<Args>(messagesOf: (args: Args) => string[]) {
  return {
    /** One test for each message, which is the only one of its arguments. */
    one: (cases: Record<string, Args>): void => {
      for (const [message, args] of Object.entries(cases))
        it(message, () => assert.deepEqual(abbreviated(messagesOf(args), [message]), [message]));
    },
    /** One test of arguments with several messages. */
    all: (args: Args, messages: string[]): void => {
      it(messages.join(" | "), () => assert.deepEqual(abbreviated(messagesOf(args), messages), messages));
    },
    /** One test for each set of arguments without a message. */
    none: (cases: Record<string, Args>): void => {
      for (const [name, args] of Object.entries(cases))
        it(`nothing on ${name}`, () => assert.deepEqual(messagesOf(args), []));
    },
  };
}

/** Tests of arguments by their errors, each as `path: message`. Several sets of arguments may have one error. */
export function validating<Args = LooseArgs>(
  problemsIn: (args: Args) => InputProblem[] = (args) => problemsOf(aMiniClusterArgs(args as object)),
) {
  const tests = expecting((args: Args) => described(problemsIn(args)));
  const rejects = (cases: Record<string, Args | Args[]>): void => {
    for (const [error, args] of Object.entries(cases))
      for (const each of [args].flat() as Args[]) tests.one({ [error]: each });
  };
  return { rejects, rejectsAll: tests.all, accepts: tests.none };
}

/** Problems as `path: message`. */
export const described = (problems: InputProblem[]) =>
  problems.map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);

/** The same message at several paths. */
export const errorsAt = (paths: string[], message: string) => paths.map((path) => `${path}: ${message}`);

/** The problems of a cluster with arguments that all cases share. */
export const sharing = (shared: LooseArgs) => (args: LooseArgs) =>
  problemsOf(aMiniClusterArgs({ ...shared, ...args } as object));
