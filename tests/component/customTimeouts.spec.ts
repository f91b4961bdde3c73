import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  AksKarpenterNodePool,
  AksNodePool,
  AksSharedStorage,
  BurstCluster,
  EksNodePool,
  EksSharedStorage,
  GkeNodePool,
  GkeSharedStorage,
  KarpenterNodePool,
  MiniCluster,
  MiniClusterManifest,
  Study,
} from "../../provider";
import type packageSchema from "../../sdk/schema.json";
import { aBurstClusterArgs, aContainer, aMiniClusterArgs, aStudyArgs } from "../support/fixtures";
import { mockEngine, type Registration, valueOf } from "../support/mocks";
import {
  aGkePoolArgs,
  aKarpenterPoolArgs,
  aksArgs,
  anAksKarpenterPoolArgs,
  anEfaPoolArgs,
} from "../unit/clouds/nodes/fixtures";
import { aFilestore, anFsx, aShare } from "../unit/clouds/storage/fixtures";

const limits = { create: "1h", delete: "2h" };
const opts = { customTimeouts: limits };

const answers = {
  "aws:eks/getCluster:getCluster": () => ({ vpcConfig: { clusterSecurityGroupId: "sg-1", vpcId: "vpc-1" } }),
  "aws:ec2/getSubnet:getSubnet": ({ id }: Record<string, unknown>) => ({ id, availabilityZone: "us-east-1a" }),
};

const manifest = `
apiVersion: flux-framework.org/v1alpha1
kind: MiniCluster
metadata: { name: hello, namespace: default }
spec:
  size: 2
  volumes: { data: { path: /tmp/data, storageClass: hostpath } }
  containers: [{ image: ubuntu, command: sleep 600, volumes: { data: { path: /data } } }]
`;

type Name<Token> = Token extends `minicluster:index:${infer Component}` ? Component : never;

/** Each component of the schema, with all that takes its time. */
const components: Record<Name<keyof typeof packageSchema.resources>, () => pulumi.Output<unknown>> = {
  MiniCluster: () => {
    const services = [aContainer({ name: "web" })];
    const args = aMiniClusterArgs({ services, network: { policy: "pods" }, waitTimeoutSeconds: 90 });
    return new MiniCluster("demo", args, opts).jobName;
  },
  BurstCluster: () => new BurstCluster("cloud", aBurstClusterArgs({ waitTimeoutSeconds: 90 }), opts).jobName,
  MiniClusterManifest: () => new MiniClusterManifest("demo", { text: manifest }, opts).jobNames,
  EksNodePool: () => new EksNodePool("demo", anEfaPoolArgs("hpc7g.16xlarge"), opts).nodeGroupName,
  KarpenterNodePool: () => new KarpenterNodePool("demo", aKarpenterPoolArgs(), opts).scheduling,
  GkeNodePool: () => new GkeNodePool("demo", aGkePoolArgs(), opts).nodePoolName,
  AksNodePool: () => new AksNodePool("demo", aksArgs(), opts).agentPoolName,
  AksKarpenterNodePool: () => new AksKarpenterNodePool("demo", anAksKarpenterPoolArgs(), opts).scheduling,
  EksSharedStorage: () => new EksSharedStorage("demo", anFsx, opts).claimName,
  GkeSharedStorage: () => new GkeSharedStorage("demo", aFilestore, opts).claimName,
  AksSharedStorage: () => new AksSharedStorage("demo", aShare, opts).claimName,
  Study: () => new Study("demo", aStudyArgs({ waitTimeoutSeconds: 90 }), opts).table,
};

describe("the time limits that a program gives", function () {
  this.timeout(20_000);

  for (const [name, make] of Object.entries(components))
    it(`a ${name} are those of its children, and come before the default`, async () => {
      const seen = await mockEngine({ answers });
      await valueOf(make());
      const inner = seen.filter(
        ({ type, parent }) => parent !== "" && type !== "RandomPassword" && !(type in components),
      );
      assert.ok(inner.length > 0);
      for (const { id, type, timeouts } of inner)
        assert.deepEqual(timeouts, { ...limits, update: waits(type) ? defaultOf(name) : "" }, id);
    });
});

const waits = (type: Registration["type"]) => ["Job", "JobPatch", "Pod", "Deployment"].includes(type);
const defaultOf = (component: string) => (component === "MiniClusterManifest" ? "600s" : "90s");
