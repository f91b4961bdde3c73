import { spawn } from "node:child_process";
import * as grpc from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { endWithEngine } from "../../provider/server/caller";

/** Stands in for pulumi-language-nodejs, which no registry has: runs the SDK's own runners, and fetches no packages. */
const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));

function run(request: proto.RunRequest): Promise<proto.RunResponse> {
  const directory = request.getInfo()?.getProgramDirectory() ?? request.getPwd();
  const flags = {
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    pwd: directory,
    "root-directory": request.getInfo()?.getRootDirectory(),
    parallel: request.getParallel(),
    "dry-run": request.getDryrun() || undefined,
  };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const env = {
    ...process.env,
    PULUMI_NODEJS_TYPESCRIPT: "true",
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
  const runner = require.resolve("@pulumi/pulumi/cmd/run", { paths: [directory] });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [runner, ...words, "."], { cwd: directory, env, stdio: ["ignore", 2, 2] });
    child.on("close", (code) => {
      const response = new proto.RunResponse();
      if (code !== 0) response.setError(`the program ended with status ${code}`).setBail(code === 32);
      resolve(response);
    });
  });
}

type PluginCall = grpc.ServerWritableStream<proto.RunPluginRequest, proto.RunPluginResponse>;

function runPlugin(call: PluginCall): void {
  const { request } = call;
  const directory = request.getInfo()?.getProgramDirectory() ?? request.getPwd();
  const runner = require.resolve("@pulumi/pulumi/cmd/run-plugin", { paths: [directory] });
  const further = Object.fromEntries(request.getEnvList().map(variable));
  const child = spawn(process.execPath, [runner, directory, ...request.getArgsList()], {
    cwd: request.getPwd(),
    env: { ...process.env, ...further },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => call.write(new proto.RunPluginResponse().setStdout(chunk)));
  child.stderr.on("data", (chunk: Buffer) => call.write(new proto.RunPluginResponse().setStderr(chunk)));
  child.on("close", (code) => {
    call.write(new proto.RunPluginResponse().setExitcode(code ?? -1));
    call.end();
  });
  call.on("cancelled", () => child.kill());
}

/** NAME=VALUE in its two parts. */
function variable(text: string): [name: string, value: string] {
  const end = text.indexOf("=");
  return [text.slice(0, end), text.slice(end + 1)];
}

type InstallCall = grpc.ServerWritableStream<proto.InstallDependenciesRequest, proto.InstallDependenciesResponse>;

function installDependencies(call: InstallCall): void {
  const directory = call.request.getInfo()?.getProgramDirectory() ?? call.request.getDirectory();
  const child = spawn("npm", ["run", "prepare"], { cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.on("data", (chunk: Buffer) => call.write(new proto.InstallDependenciesResponse().setStderr(chunk)));
  child.on("close", (code) => {
    if (code === 0) call.end();
    else call.destroy(new Error(`npm run prepare ended with status ${code}`));
  });
}

const answer =
  <Req, Res>(handler: (request: Req) => Res | Promise<Res>): grpc.handleUnaryCall<Req, Res> =>
  (call, callback) =>
    void Promise.resolve(handler(call.request)).then((response) => callback(null, response));

endWithEngine(process.argv.slice(2));
const server = new grpc.Server();
server.addService(LanguageRuntimeService, {
  run: answer(run),
  runPlugin,
  installDependencies,
  getPluginInfo: answer(() => new PluginInfo().setVersion("3.0.0")),
  getRequiredPlugins: answer(() => new proto.GetRequiredPluginsResponse()),
  getRequiredPackages: answer(() => new proto.GetRequiredPackagesResponse()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
