import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { buildMissing, executable } from "./build/binaries";
import { kueueModule, moduleDirectory } from "./build/modules";
import type { Cluster } from "./cluster";
import { freePorts } from "./controlPlane/ports";
import type { Kube, NewObject } from "./kube";
import { waitFor } from "./waiting";

const namespace = "kueue-system";
const webhookService = { name: "kueue-webhook-service", namespace };
const secretName = "kueue-webhook-server-cert";

/**
 * Starts Kueue in a cluster, with its own definitions, settings and webhooks as they are in the module, and waits until
 * it answers.
 */
export async function startKueue(cluster: Cluster): Promise<void> {
  await buildMissing([kueueModule]);
  const config = path.join(sourceDirectory(), "config/components");
  const [webhookPort, probePort] = (await freePorts(2)) as [number, number];
  await install(cluster.api, config, webhookPort);
  const directory = path.join(cluster.directory, "kueue");
  const certDir = path.join(directory, "certificates");
  fs.mkdirSync(certDir, { recursive: true });
  const settings = path.join(directory, "settings.yaml");
  // JSON is YAML.
  fs.writeFileSync(settings, JSON.stringify(settingsOf(config, { certDir, webhookPort, probePort })));
  const flags = [`--config=${settings}`, `--kubeconfig=${cluster.kubeconfigPath}`, "--zap-log-level=2"];
  cluster.startProcess("kueue", [executable(kueueModule, "kueue"), ...flags]);
  await cluster.failEarly(mountCertificate(cluster.api, certDir));
  const ready = async () => (await fetch(`http://127.0.0.1:${probePort}/readyz`)).ok;
  await cluster.failEarly(waitFor("Kueue to become ready", ready, 60_000, 200));
  await cluster.failEarly(waitForWebhooks(cluster.api));
}

/** Folder of Kueue's sources, from which the executable is built. */
function sourceDirectory(): string {
  const command = ["mod", "download", "-json", "sigs.k8s.io/kueue"];
  const answer = execFileSync("go", command, { cwd: moduleDirectory(kueueModule), encoding: "utf8" });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/** Kueue's own settings, on free ports of this machine, as the only one of its kind. */
function settingsOf(
  config: string,
  { certDir, webhookPort, probePort }: { certDir: string; webhookPort: number; probePort: number },
): object {
  const own = parse(fs.readFileSync(path.join(config, "manager/controller_manager_config.yaml"), "utf8")) as object;
  return {
    ...own,
    namespace,
    health: { healthProbeBindAddress: `127.0.0.1:${probePort}` },
    metrics: { bindAddress: "0" },
    webhook: { host: "127.0.0.1", port: webhookPort, certDir },
    leaderElection: { leaderElect: false },
    // A second API server, for the command line of Kueue.
    featureGates: { VisibilityOnDemand: false },
  };
}

/** Creates what Kueue finds in a cluster when it starts. */
async function install(api: Kube, config: string, webhookPort: number): Promise<void> {
  await api.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  // No pod has the webhooks behind it, but a process of this machine; the certificate is for the service's name.
  const spec = { type: "ExternalName", externalName: "localhost" };
  await api.create({ apiVersion: "v1", kind: "Service", metadata: webhookService, spec });
  await api.create({ apiVersion: "v1", kind: "Secret", metadata: { name: secretName, namespace } });
  const service = { ...webhookService, port: webhookPort };
  await Promise.all(
    [...definitions(config, service), ...webhooks(config, service)].map((object) => api.create(object)),
  );
}

interface ClientConfig {
  service: { name: string; namespace: string; port?: number; path?: string };
}

/** The definitions of Kueue's kinds, with the conversions that its kustomization patches into them. */
function definitions(config: string, service: ClientConfig["service"]): NewObject[] {
  const directory = path.join(config, "crd");
  const load = (file: string) => parse(fs.readFileSync(path.join(directory, file), "utf8")) as NewObject;
  const { resources, patches } = load("kustomization.yaml") as unknown as {
    resources: string[];
    patches: { path: string }[];
  };
  const conversions = new Map(
    patches.map((patch) => {
      const { metadata, spec } = load(patch.path) as NewObject & { spec: Definition };
      const { webhook } = spec.conversion;
      webhook.clientConfig.service = { ...webhook.clientConfig.service, ...service };
      return [metadata.name, spec.conversion];
    }),
  );
  return resources.map((file) => {
    const definition = load(file);
    const conversion = conversions.get(definition.metadata.name);
    return conversion ? { ...definition, spec: { ...(definition.spec as object), conversion } } : definition;
  });
}

interface Definition {
  conversion: { webhook: { clientConfig: ClientConfig } };
}

/** The configurations of Kueue's webhooks, by the names that its kustomization gives them. */
function webhooks(config: string, service: ClientConfig["service"]): NewObject[] {
  const text = fs.readFileSync(path.join(config, "webhook/manifests.yaml"), "utf8");
  const configurations = parseAllDocuments(text).map((document) => document.toJS() as NewObject);
  return configurations.map(({ metadata, webhooks, ...object }) => ({
    ...object,
    metadata: { ...metadata, name: `kueue-${metadata.name}` },
    webhooks: (webhooks as { clientConfig: ClientConfig }[]).map((webhook) => ({
      ...webhook,
      clientConfig: { service: { ...webhook.clientConfig.service, ...service } },
    })),
  }));
}

/** Writes the certificate that Kueue has made for itself where it looks for it, as a node does for a pod. */
async function mountCertificate(api: Kube, directory: string): Promise<void> {
  const ref = { apiVersion: "v1", kind: "Secret", name: secretName, namespace };
  const data = await waitFor(
    "the certificate of Kueue's webhooks",
    async () => {
      const found = (await api.get(ref)).data as Record<string, string> | undefined;
      return found?.["tls.crt"] ? found : undefined;
    },
    60_000,
    200,
  );
  // The certificate last: it is what Kueue waits for.
  for (const name of Object.keys(data).sort((one, other) => Number(one === "tls.crt") - Number(other === "tls.crt")))
    fs.writeFileSync(path.join(directory, name), Buffer.from(data[name] ?? "", "base64"), { mode: 0o600 });
}

/** The API server may try again for a while to reach webhooks that were not there yet. */
async function waitForWebhooks(api: Kube): Promise<void> {
  const probe = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "probe", namespace: "default", labels: { "kueue.x-k8s.io/queue-name": "probe" } },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "main" }] } } },
  };
  const isSuspended = async () => {
    const answer = await api.request("POST", "/apis/batch/v1/namespaces/default/jobs?dryRun=All", probe);
    return (answer.spec as { suspend?: boolean }).suspend === true;
  };
  await waitFor("the webhooks of Kueue", isSuspended, 60_000, 200);
}
