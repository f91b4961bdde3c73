import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Backend, Log } from "./backend";
import { engineLog } from "./engineLog";
import { checkMessage, diffMessage, errorMessage, fromStruct, invokeMessage, toStruct } from "./messages";

type Handler<Req, Res> = (request: Req) => Promise<Res> | Res;

/** One gRPC method from one function. */
export function unary<Req, Res>(handler: Handler<Req, Res>): grpc.handleUnaryCall<Req, Res> {
  return (call, callback) => {
    Promise.resolve(call.request)
      .then(handler)
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(errorMessage(error)),
      );
  };
}

const bytes = (value: Uint8Array | string) => (typeof value === "string" ? Buffer.from(value, "base64") : value);

/** The methods of a plugin's configuration. */
export function configMethods(backend: Pick<Backend, "checkConfig" | "diffConfig" | "configure">) {
  return {
    checkConfig: unary((r: proto.CheckRequest) =>
      checkMessage(backend.checkConfig(fromStruct(r.getNews()), fromStruct(r.getOlds()))),
    ),
    diffConfig: unary((r: proto.DiffRequest) =>
      diffMessage(backend.diffConfig(fromStruct(r.getOlds()), fromStruct(r.getNews()))),
    ),
    configure: unary(async (r: proto.ConfigureRequest) => {
      await backend.configure(Object.fromEntries(r.getVariablesMap().toObject(false)));
      return new proto.ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setSupportsAutonamingConfiguration(true);
    }),
  };
}

function planMethods(backend: Backend) {
  return {
    check: unary(async (r: proto.CheckRequest) => {
      const request = { urn: r.getUrn(), olds: fromStruct(r.getOlds()), news: fromStruct(r.getNews()) };
      const proposedName = r.getAutonaming()?.getProposedName() || undefined;
      return checkMessage(await backend.check({ ...request, randomSeed: bytes(r.getRandomseed()), proposedName }));
    }),
    diff: unary(async (r: proto.DiffRequest) => {
      const request = { id: r.getId(), urn: r.getUrn(), olds: fromStruct(r.getOlds()), news: fromStruct(r.getNews()) };
      const oldInputs = fromStruct(r.getOldInputs());
      return diffMessage(await backend.diff({ ...request, oldInputs, ignoreChanges: r.getIgnorechangesList() }));
    }),
  };
}

function actMethods(backend: Backend) {
  return {
    create: unary(async (r: proto.CreateRequest) => {
      const request = { urn: r.getUrn(), inputs: fromStruct(r.getProperties()) };
      const state = await backend.create({ ...request, timeoutSeconds: r.getTimeout(), preview: r.getPreview() });
      return new proto.CreateResponse().setId(state.id).setProperties(toStruct(state.properties));
    }),
    read: unary(async (r: proto.ReadRequest) => {
      const request = { id: r.getId(), urn: r.getUrn(), inputs: fromStruct(r.getInputs()) };
      const { id, properties, inputs } = await backend.read({ ...request, properties: fromStruct(r.getProperties()) });
      // A deleted resource has no properties at all.
      if (id === "") return new proto.ReadResponse();
      return new proto.ReadResponse().setId(id).setProperties(toStruct(properties)).setInputs(toStruct(inputs));
    }),
    update: unary(async (r: proto.UpdateRequest) => {
      const request = { id: r.getId(), urn: r.getUrn(), olds: fromStruct(r.getOlds()), news: fromStruct(r.getNews()) };
      const oldInputs = fromStruct(r.getOldInputs());
      const options = { oldInputs, timeoutSeconds: r.getTimeout(), preview: r.getPreview() };
      const properties = await backend.update({ ...request, ...options, ignoreChanges: r.getIgnorechangesList() });
      return new proto.UpdateResponse().setProperties(toStruct(properties));
    }),
    delete: unary(async (r: proto.DeleteRequest) => {
      const request = { id: r.getId(), urn: r.getUrn(), properties: fromStruct(r.getProperties()) };
      await backend.delete({ ...request, timeoutSeconds: r.getTimeout() });
      return new Empty();
    }),
    cancel: unary((_: Empty) => {
      backend.cancel();
      return new Empty();
    }),
    getPluginInfo: unary((_: Empty) => new PluginInfo().setVersion(backend.version)),
    getSchema: unary((_: proto.GetSchemaRequest) =>
      new proto.GetSchemaResponse().setSchema(JSON.stringify(backend.schema ?? {})),
    ),
  };
}

/** A backend without data sources leaves the method out, and gRPC answers Unimplemented. */
function askMethods(backend: Backend): grpc.UntypedServiceImplementation {
  const invoke = backend.invoke?.bind(backend);
  if (!invoke) return {};
  return {
    invoke: unary(async (r: proto.InvokeRequest) =>
      invokeMessage(await invoke({ token: r.getTok(), args: fromStruct(r.getArgs()) })),
    ),
  };
}

const orphanCheckMillis = 1000;

/** Ends this process after its parent process has ended, for any reason. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, orphanCheckMillis).unref();
}

/** The methods that one engine calls. */
interface Served {
  methods: grpc.UntypedServiceImplementation;
  cancel: () => void;
}

/**
 * Serves a backend on a free port and prints the port, by which the engine finds it. The engine's own address is the
 * first argument that is not a flag, or comes with an `attach`, which gives the connection a separate backend.
 */
export function serve(makeBackend: (log: Log) => Backend): void {
  const served = (engineAddress?: string): Served => {
    const backend = makeBackend(engineAddress ? engineLog(engineAddress) : () => undefined);
    const methods = { ...configMethods(backend), ...planMethods(backend), ...actMethods(backend) };
    return { methods: { ...methods, ...askMethods(backend) }, cancel: () => backend.cancel() };
  };
  const own = served(process.argv.slice(2).find((arg) => !arg.startsWith("-")));
  const attached = new Map<string, Served>();
  const forwarded = Object.keys(own.methods).map((name) => {
    const forward: grpc.handleUnaryCall<unknown, unknown> = (call, callback) => {
      const { methods, cancel } = attached.get(call.getPeer()) ?? own;
      let isAnswered = false;
      // An engine that is killed takes its calls with it, as it does the process of a plugin.
      call.on("cancelled", () => isAnswered || cancel());
      (methods[name] as typeof forward)(call, (...answer) => {
        isAnswered = true;
        callback(...answer);
      });
    };
    return [name, forward];
  });
  const attach: grpc.handleUnaryCall<PluginAttach, Empty> = (call, callback) => {
    attached.set(call.getPeer(), served(call.request.getAddress()));
    callback(null, new Empty());
  };
  listen({ ...(Object.fromEntries(forwarded) as grpc.UntypedServiceImplementation), attach });
}

/** Serves these methods on a free port, and prints the port. */
export function listen(methods: grpc.UntypedServiceImplementation): void {
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, methods);
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
    endWithParent();
  });
}
