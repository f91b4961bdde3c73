import * as pulumi from "@pulumi/pulumi";
import { main, type Provider } from "@pulumi/pulumi/provider";

const outputs: Record<string, (name: string, inputs: pulumi.Inputs) => Record<string, unknown>> = {
  "awsx:ec2:Vpc": () => ({
    vpcId: "vpc-1",
    publicSubnetIds: ["subnet-p1", "subnet-p2", "subnet-p3"],
    privateSubnetIds: ["subnet-a1", "subnet-b1", "subnet-c1"],
  }),
  "eks:index:Cluster": (name, inputs) => ({
    eksCluster: { name: (inputs["name"] as pulumi.Input<string> | undefined) ?? name },
    kubeconfigJson: "{}",
    nodeSecurityGroupId: "sg-nodes",
  }),
};

/** A plugin of components without their children. As with the real ones, a preview does not know their outputs. */
const provider: Provider = {
  version: process.env.MINICLUSTER_PLUGIN_VERSION ?? "",
  construct: (name, type, inputs, options) => {
    const found = outputs[type];
    if (!found) throw new Error(`this stand-in does not know ${type}, which needs a row in ${__filename}`);
    const component = new pulumi.ComponentResource(type, name, {}, options);
    const isPreview = pulumi.runtime.isDryRun();
    const state = Object.entries(found(name, inputs)).map(([key, value]) => [
      key,
      isPreview ? pulumi.output(pulumi.unknown) : value,
    ]);
    return Promise.resolve({ urn: component.urn, state: Object.fromEntries(state) as pulumi.Inputs });
  },
};

void main(provider, process.argv.slice(2));
