import * as assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { buildStandIns } from "./build";
import { sdkVersion } from "./index";
import { fromStruct, toStruct } from "./rpc/messages";

describe("a stand-in plugin", () => {
  let cache: string;
  let directory: string;
  let plugin: ChildProcess | undefined;
  const versions = { kubernetes: sdkVersion("kubernetes"), random: sdkVersion("random") };

  before(async function () {
    this.timeout(60_000);
    cache = mkdtempSync(join(tmpdir(), "stand-ins-"));
    directory = await buildStandIns(cache, versions);
  });
  after(() => rmSync(cache, { recursive: true }));
  afterEach(() => plugin?.kill("SIGKILL"));

  async function start(name: string): Promise<ResourceProviderClient> {
    plugin = spawn(join(directory, name, `pulumi-resource-${name}`), { stdio: ["ignore", "pipe", "inherit"] });
    assert.ok(plugin.stdout);
    const [port] = (await once(plugin.stdout, "data")) as [Buffer];
    return new ResourceProviderClient(`127.0.0.1:${port.toString().trim()}`, grpc.credentials.createInsecure());
  }

  type Callback<T> = (error: grpc.ServiceError | null, response: T) => void;

  function call<T>(send: (callback: Callback<T>) => unknown): Promise<T> {
    return new Promise((resolve, reject) => send((error, response) => (error ? reject(error) : resolve(response))));
  }

  it("is built once for each state of its sources", async () => {
    const again = await buildStandIns(cache, versions);
    const other = await buildStandIns(cache, { ...versions, random: "0.0.1" });
    assert.equal(again, directory);
    assert.notEqual(other, directory);
  });

  it("has the version of the SDK", async () => {
    const client = await start("kubernetes");
    const info = await call<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    assert.equal(info.getVersion(), versions.kubernetes);
    client.close();
  });

  it("tells the engine each property that changes, and how", async () => {
    const client = await start("kubernetes");
    await call<proto.ConfigureResponse>((done) => client.configure(withDirectory(cache), done));
    const object = (data: Record<string, string>) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "c", namespace: "ns" },
      data,
    });
    const request = new proto.DiffRequest().setUrn("urn:pulumi:a::b::kubernetes:core/v1:ConfigMap::c");
    request.setOlds(toStruct({ ...object({ a: "1", b: "1" }), __inputs: object({ a: "1", b: "1" }) }));
    request.setNews(toStruct(object({ a: "2" })));
    const diff = await call<proto.DiffResponse>((done) => client.diff(request, done));
    const changes = diff.getDetaileddiffMap().toObject(false, (_, change) => change.toObject());
    assert.deepEqual(
      changes.map(([path, { kind }]) => [path, kind]),
      [
        ["data.a", proto.PropertyDiff.Kind.UPDATE_REPLACE],
        ["data.b", proto.PropertyDiff.Kind.DELETE_REPLACE],
      ],
    );
    assert.equal(diff.getDeletebeforereplace(), true);
    client.close();
  });

  it("passes values and errors on as they are", async () => {
    const client = await start("random");
    const create = (type: string) => {
      const request = new proto.CreateRequest().setUrn(`urn:pulumi:a::b::random:index/x:${type}::x`);
      request.setProperties(toStruct({ length: 4, special: false, keepers: { nested: [null, true] } }));
      return call<proto.CreateResponse>((done) => client.create(request, done));
    };
    const made = await create("RandomString");
    const { result, ...rest } = fromStruct(made.getProperties());
    assert.match(result as string, /^\w{4}$/);
    assert.deepEqual(rest, { length: 4, special: false, keepers: { nested: [null, true] } });
    await assert.rejects(create("RandomCat"), { details: /does not know .*RandomCat/ });
    client.close();
  });
});

function withDirectory(directory: string): proto.ConfigureRequest {
  const request = new proto.ConfigureRequest();
  request.getVariablesMap().set("kubernetes:config:renderYamlToDirectory", directory);
  return request;
}
