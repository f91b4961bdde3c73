import { randomBytes } from "node:crypto";
import type * as provider from "@pulumi/pulumi/provider";
import { withoutStack } from "../../shared/errors";
import { secretOf } from "./secrets";

export const newId = () => randomBytes(8).toString("hex");

/**
 * The resource with the id of a study and the key of its hashes. It is created before the runs, so that it is in the
 * state of a stack whose first `up` was killed, and the next `up` finds the same runs. After `destroy`, the id is
 * another one, and the runs are repeated.
 */
export const studyId = {
  check: (_urn: string, _olds: object, inputs: object): Promise<provider.CheckResult> => Promise.resolve({ inputs }),
  diff: (): Promise<provider.DiffResult> => Promise.resolve({ changes: false }),
  create: (): Promise<provider.CreateResult> =>
    Promise.resolve({ id: newId(), outs: { key: secretOf(randomBytes(32).toString("hex")) } }),
  read: (id: string, _urn: string, props: { key?: unknown }): Promise<provider.ReadResult> => {
    if (props.key !== undefined) return Promise.resolve({ id, props });
    return Promise.reject(withoutStack(new Error("the id of a study cannot be imported: it is created by a Study")));
  },
  update: (_id: string, _urn: string, outs: object): Promise<provider.UpdateResult> => Promise.resolve({ outs }),
  delete: (): Promise<void> => Promise.resolve(),
};
