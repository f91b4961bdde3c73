import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Log, Severity } from "./backend";

const severities: Record<Severity, LogSeverity> = {
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
};

/** A later engine may have the address of one that has ended. */
const ownConnection = { "grpc.use_local_subchannel_pool": 1 };

/** A log that shows its messages through the engine. The connection is made with the first message. */
export function engineLog(address: string): Log {
  let client: EngineClient | undefined;
  return (severity, urn, message, kind) => {
    client ??= new EngineClient(address, grpc.credentials.createInsecure(), ownConnection);
    const request = new LogRequest().setSeverity(severities[severity]).setUrn(urn).setMessage(message);
    request.setEphemeral(kind === "status");
    // An undeliverable message must not fail its operation.
    client.log(request, () => undefined);
  };
}
