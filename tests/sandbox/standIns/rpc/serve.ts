import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Backend } from "./backend";
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
      return diffMessage(await backend.diff({ ...request, oldInputs }));
    }),
  };
}

function actMethods(backend: Backend) {
  return {
    create: unary(async (r: proto.CreateRequest) => {
      const request = { urn: r.getUrn(), inputs: fromStruct(r.getProperties()) };
      const state = await backend.create({ ...request, preview: r.getPreview() });
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
      const properties = await backend.update({ ...request, oldInputs, preview: r.getPreview() });
      return new proto.UpdateResponse().setProperties(toStruct(properties));
    }),
    delete: unary(async (r: proto.DeleteRequest) => {
      await backend.delete({ id: r.getId(), urn: r.getUrn(), properties: fromStruct(r.getProperties()) });
      return new Empty();
    }),
    // All operations are immediate.
    cancel: unary((_: Empty) => new Empty()),
    getPluginInfo: unary((_: Empty) => new PluginInfo().setVersion(backend.version)),
    getSchema: unary((_: proto.GetSchemaRequest) => new proto.GetSchemaResponse().setSchema("{}")),
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

/**
 * Serves a backend on a free port and prints the port, by which the engine finds it. An `attach` gives the connection a
 * separate backend.
 */
export function serve(makeBackend: () => Backend): void {
  const methodsOf = (backend: Backend): grpc.UntypedServiceImplementation => ({
    ...configMethods(backend),
    ...planMethods(backend),
    ...actMethods(backend),
    ...askMethods(backend),
  });
  const own = methodsOf(makeBackend());
  const attached = new Map<string, grpc.UntypedServiceImplementation>();
  const forwarded = Object.keys(own).map((name) => {
    const forward: grpc.handleUnaryCall<unknown, unknown> = (call, callback) =>
      ((attached.get(call.getPeer()) ?? own)[name] as typeof forward)(call, callback);
    return [name, forward];
  });
  const attach: grpc.handleUnaryCall<PluginAttach, Empty> = (call, callback) => {
    attached.set(call.getPeer(), methodsOf(makeBackend()));
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
