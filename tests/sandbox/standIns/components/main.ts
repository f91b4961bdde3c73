import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ConstructResponse, GetSchemaResponse, type ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  type RegisterResourceResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import type { ec2 } from "@pulumi/awsx";
import type { Cluster } from "@pulumi/eks";
import { noChanges } from "../rpc/backend";
import { toStruct } from "../rpc/messages";
import { configMethods, listen, unary } from "../rpc/serve";
import { unknown } from "../rpc/values";

/** The outputs of a component that a program may use. Of what a component has inside there is nothing. */
const components: { "awsx:ec2:Vpc": (keyof ec2.Vpc)[]; "eks:index:Cluster": (keyof Cluster)[] } = {
  "awsx:ec2:Vpc": ["vpcId", "privateSubnetIds", "publicSubnetIds"],
  "eks:index:Cluster": ["core", "eksCluster", "kubeconfig", "kubeconfigJson"],
};

/** Registers a component for a preview, without its outputs. */
async function construct(request: ConstructRequest): Promise<ConstructResponse> {
  const type = request.getType();
  const outputs = (components as Record<string, string[] | undefined>)[type];
  if (!outputs) throw new Error(`this stand-in does not know ${type}, which needs a row in ${__filename}`);
  if (!request.getDryrun()) throw new Error(`this stand-in previews ${type}, and cannot create it`);
  const monitor = new ResourceMonitorClient(request.getMonitorendpoint(), grpc.credentials.createInsecure());
  const registration = new RegisterResourceRequest().setType(type).setName(request.getName());
  registration.setParent(request.getParent()).setObject(request.getInputs()).setAcceptsecrets(true);
  const registered = await new Promise<RegisterResourceResponse>((resolve, reject) =>
    monitor.registerResource(registration, (error, response) => (error ? reject(error) : resolve(response))),
  );
  const state = toStruct(Object.fromEntries(outputs.map((name) => [name, unknown])));
  const end = new RegisterResourceOutputsRequest().setUrn(registered.getUrn()).setOutputs(state);
  await new Promise<void>((resolve, reject) =>
    monitor.registerResourceOutputs(end, (error) => (error ? reject(error) : resolve())),
  );
  return new ConstructResponse().setUrn(registered.getUrn()).setState(state);
}

listen({
  ...configMethods({ checkConfig: (news) => ({ inputs: news }), diffConfig: noChanges, configure: async () => {} }),
  construct: unary(construct),
  getPluginInfo: unary(() => new PluginInfo().setVersion(process.env.MINICLUSTER_PLUGIN_VERSION ?? "0.0.0")),
  getSchema: unary(() => new GetSchemaResponse().setSchema("{}")),
});
