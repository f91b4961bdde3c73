import * as grpc from "@grpc/grpc-js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import {
  type CheckFailure,
  type CheckResponse,
  type DiffResponse,
  type InvokeResponse,
  type PropertyChange,
} from "./backend";
import { type Obj, rewrite } from "./values";

/** Protobuf to plain data. An absent struct is an empty one. */
export function fromStruct(struct: Struct | undefined): Obj {
  return struct?.toJavaScript() ?? {};
}

/** Plain data to protobuf. `undefined` has no place in a struct, so such keys are dropped. */
export function toStruct(value: Obj): Struct {
  return Struct.fromJavaScript(rewrite(value, (v) => v) as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function checkMessage({ inputs, failures }: CheckResponse): proto.CheckResponse {
  return new proto.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(failureMessages(failures));
}

export function invokeMessage({ result, failures }: InvokeResponse): proto.InvokeResponse {
  return new proto.InvokeResponse().setReturn(toStruct(result)).setFailuresList(failureMessages(failures));
}

function failureMessages(failures: CheckFailure[] = []): proto.CheckFailure[] {
  return failures.map(({ property, reason }) => new proto.CheckFailure().setProperty(property).setReason(reason));
}

const kinds: Record<PropertyChange["kind"], [plain: proto.PropertyDiff.Kind, replace: proto.PropertyDiff.Kind]> = {
  add: [0, 1],
  delete: [2, 3],
  update: [4, 5],
};

export function diffMessage(response: DiffResponse): proto.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  const message = new proto.DiffResponse()
    .setChanges(response.changed ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(response.replaces)
    .setDeletebeforereplace(response.deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const [path, { kind, replace, inputDiff }] of response.detailed) {
    const property = new proto.PropertyDiff().setKind(kinds[kind][replace ? 1 : 0]).setInputdiff(inputDiff ?? false);
    message.getDetaileddiffMap().set(path, property);
  }
  return message;
}

/** The gRPC error for anything thrown. */
export const errorMessage = (error: unknown): Partial<grpc.ServiceError> => ({
  code: grpc.status.UNKNOWN,
  details: error instanceof Error ? error.message : String(error),
});
