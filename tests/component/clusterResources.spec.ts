import * as assert from "node:assert/strict";
import { Cluster as AwsCluster } from "@pulumi/aws/eks/cluster";
import { ManagedCluster } from "@pulumi/azure-native/containerservice/managedCluster";
import { Cluster as EksCluster } from "@pulumi/eks/cluster";
import { Cluster as GcpCluster } from "@pulumi/gcp/container/cluster";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import {
  AksNodePool,
  EksNodePool,
  EksSharedStorage,
  GkeNodePool,
  kubernetesProvider,
  MiniCluster,
} from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";
import { answers } from "../support/pools";
import { anFsx } from "../unit/clouds/storage/fixtures";
import { aGkePoolArgs, aksArgs, anEksPoolArgs } from "../unit/clouds/nodes/fixtures";

/** The outputs of the resources of Kubernetes clusters. */
function state({ type }: pulumi.runtime.MockResourceArgs): object {
  const outputs: Record<string, object> = {
    "aws:eks/cluster:Cluster": {
      name: "research-1",
      arn: "arn:aws:eks:us-east-2:1:cluster/research-1",
      endpoint: "https://eks",
      certificateAuthority: { data: "Q0E=" },
    },
    "eks:index:Cluster": { eksCluster: { name: "research-2" }, kubeconfigJson: '{"kind":"Config"}' },
    "gcp:container/cluster:Cluster": {
      name: "research-3",
      location: "us-central1",
      project: "physics",
      endpoint: "10.0.0.1",
      masterAuth: { clusterCaCertificate: "Q0E=" },
    },
    "azure-native:containerservice:ManagedCluster": { name: "research-4", nodeResourceGroup: "nodes" },
  };
  return outputs[type] ?? {};
}

const aksId = "/subscriptions/s/resourcegroups/flux/providers/Microsoft.ContainerService/managedClusters/research-4";
const credentials = "azure-native:containerservice:listManagedClusterUserCredentials";
const ofAzure = { kubeconfigs: [{ name: "user", value: Buffer.from("kind: Config").toString("base64") }] };

const aws = () => new AwsCluster("research", { roleArn: "arn", vpcConfig: { subnetIds: ["subnet-a"] } });
const azure = () => ManagedCluster.get("research", aksId);
const google = () => new GcpCluster("research", { location: "us-central1" });
const noGkeNames = { clusterName: undefined, location: undefined };
const noAksNames = { clusterName: undefined, resourceGroupName: undefined };
const eksPool = (cluster: AwsCluster | EksCluster, options?: pulumi.ComponentResourceOptions) => {
  const args = anEksPoolArgs({ clusterName: undefined, nvidiaPlugin: undefined, machineTypes: ["p5.48xlarge"] });
  return new EksNodePool("hpc", { ...args, cluster }, options);
};

/** Everything that a program registers, by its id. */
async function registered(make: () => pulumi.ComponentResource) {
  const seen = await mockEngine({ answers: { ...answers, [credentials]: () => ofAzure }, state });
  const made = make();
  await valueOf(pulumi.all(Object.values(made).filter((value) => pulumi.Output.isInstance(value))));
  const find = (id: string) => seen.find((each) => each.id === id) ?? assert.fail(seen.map((each) => each.id).join());
  return { seen, find, inputsOf: (id: string) => find(id).inputs as Record<string, unknown> };
}

const secretOf = (value: unknown) => (value as { value: string }).value;

describe("The resource of a Kubernetes cluster", function () {
  this.timeout(120_000);

  it("of @pulumi/aws names the EKS cluster, and its provider runs the plugins", async () => {
    const { find, inputsOf } = await registered(() => eksPool(aws()));
    assert.equal(inputsOf("NodeGroup hpc")["clusterName"], "research-1");
    assert.match(
      find("DaemonSet hpc-nvidia-device-plugin").provider,
      /aws:eks\/cluster:Cluster\$pulumi:providers:kubernetes::research$/,
    );
    const kubeconfig = JSON.parse(secretOf(inputsOf("kubernetes research")["kubeconfig"])) as {
      clusters: object[];
      users: { user: { exec: { command: string; args: string[] } } }[];
    };
    assert.deepEqual(kubeconfig.clusters[0], {
      name: "cluster",
      cluster: { server: "https://eks", "certificate-authority-data": "Q0E=" },
    });
    const { command, args } = kubeconfig.users[0]!.user.exec;
    assert.equal(
      [command, ...args].join(" "),
      "aws --region us-east-2 eks get-token --cluster-name research-1 --output json",
    );
  });

  it("of @pulumi/eks has its name and its kubeconfig", async () => {
    const { inputsOf } = await registered(() => eksPool(new EksCluster("research", {})));
    assert.equal(inputsOf("NodeGroup hpc")["clusterName"], "research-2");
    assert.equal(secretOf(inputsOf("kubernetes research")["kubeconfig"]), '{"kind":"Config"}');
  });

  it("of @pulumi/gcp has the name, the location and the project of the GKE cluster", async () => {
    const { inputsOf } = await registered(
      () => new GkeNodePool("hpc", { ...aGkePoolArgs(), ...noGkeNames, cluster: google() }),
    );
    const { cluster, location, project } = inputsOf("NodePool hpc");
    assert.deepEqual([cluster, location, project], ["research-3", "us-central1", "physics"]);
    assert.match(
      secretOf(inputsOf("kubernetes research")["kubeconfig"]),
      /"server":"https:\/\/10\.0\.0\.1".*"command":"gke-gcloud-auth-plugin"/,
    );
  });

  it("of @pulumi/azure-native has the resource group of the AKS cluster in its id", async () => {
    const { inputsOf } = await registered(
      () => new AksNodePool("hpc", { ...aksArgs(), ...noAksNames, cluster: azure() }),
    );
    const { resourceName, resourceGroupName } = inputsOf("AgentPool hpc");
    assert.deepEqual([resourceName, resourceGroupName], ["research-4", "flux"]);
    assert.equal(secretOf(inputsOf("kubernetes research")["kubeconfig"]), "kind: Config");
  });

  it("has one provider, for its pools and for what runs on them", async () => {
    const { seen, find } = await registered(() => {
      const cluster = aws();
      const { scheduling: pool } = eksPool(cluster);
      return new MiniCluster("demo", aMiniClusterArgs({ size: 2, pool }), { provider: kubernetesProvider(cluster) });
    });
    assert.equal(find("Job demo").provider, find("DaemonSet hpc-nvidia-device-plugin").provider);
    assert.equal(seen.filter(({ id }) => id.startsWith("kubernetes ")).length, 1);
  });

  it("does not replace a provider in the options", async () => {
    const { seen, find } = await registered(() => eksPool(aws(), { providers: [new Provider("mine", {})] }));
    assert.match(find("DaemonSet hpc-nvidia-device-plugin").provider, /::mine$/);
    assert.deepEqual(
      seen.map(({ id }) => id).filter((id) => id.startsWith("kubernetes ")),
      ["kubernetes mine"],
    );
  });

  it("names the EKS cluster of shared storage, whose volume has its provider", async () => {
    const { find, inputsOf } = await registered(
      () => new EksSharedStorage("data", { ...anFsx, clusterName: undefined, cluster: aws(), installDriver: true }),
    );
    assert.equal(inputsOf("Addon data-driver")["clusterName"], "research-1");
    assert.match(find("PersistentVolumeClaim data").provider, /Cluster\$pulumi:providers:kubernetes::research$/);
  });

  it("is refused beside the names that it has, and from another cloud", async () => {
    await mockEngine({ answers, state });
    const refused = (make: () => unknown, ...problems: string[]) =>
      assert.throws(make, (error) => {
        const { errors } = error as pulumi.InputPropertiesError;
        const found = errors?.map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);
        assert.deepEqual(found, problems);
        return true;
      });
    const eks = (args: object) => () => new EksNodePool("hpc", { ...anEksPoolArgs(), ...args });
    refused(eks({ cluster: aws() }), "clusterName: is an output of cluster; remove clusterName, or cluster");
    refused(
      eks({ clusterName: undefined, cluster: google() }),
      "cluster: must be a Cluster of @pulumi/eks or of @pulumi/aws/eks",
    );
    refused(
      eks({ clusterName: undefined, cluster: pulumi.output(aws()) }),
      "cluster: must be a Cluster of @pulumi/eks or of @pulumi/aws/eks, not an output",
    );
    refused(
      () => new AksNodePool("hpc", { ...aksArgs(), ...noAksNames }),
      "resourceGroupName: is required; must be a string that is not empty, or set cluster",
      "clusterName: is required; must be a string that is not empty, or set cluster",
    );
  });
});
