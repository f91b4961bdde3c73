/** The command with which Kubernetes' clients get a token. */
interface Login {
  command: string;
  args?: string[];
  provideClusterInfo?: boolean;
}

/** The login of an EKS cluster, as `aws eks update-kubeconfig` writes it. With Pulumi's mocks in the tests of a user, it has no ARN. */
export const eksLogin = (name: string, arn = ""): Login => ({
  command: "aws",
  args: ["--region", arn.split(":")[3] ?? "", "eks", "get-token", "--cluster-name", name, "--output", "json"],
});

/** The login of a GKE cluster, as `gcloud container clusters get-credentials` writes it. */
export const gkeLogin: Login = { command: "gke-gcloud-auth-plugin", provideClusterInfo: true };

/** A kubeconfig with one Kubernetes cluster. */
export const buildKubeconfig = (server: string, authority: string, login: Login): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "cluster", cluster: { server, "certificate-authority-data": authority } }],
    users: [{ name: "user", user: { exec: { apiVersion: "client.authentication.k8s.io/v1beta1", ...login } } }],
    contexts: [{ name: "context", context: { cluster: "cluster", user: "user" } }],
    "current-context": "context",
  });
