import * as pulumi from "@pulumi/pulumi";
import { callsBack } from "../../shared/children";
import { isAnswer, isNotFound, kubernetesSettings, lookAtCluster } from "../../shared/apiServer";
import { lookBeforeCreate, refuseWhere } from "../../shared/changes";
import { whenKnown } from "../../shared/deferred";
import type { MiniClusterSpec } from "../parse/spec";

/** Options of a cluster that say whether something comes before it, such as its namespace. */
interface PlaceOptions {
  parent: pulumi.ComponentResource;
  dependsOn?: pulumi.ComponentResourceOptions["dependsOn"];
}

/** A cluster of the program. */
interface Claimant {
  component: pulumi.ComponentResource;
  name: string;
}

/** The clusters of the program that have an object, by provider, namespace, kind and name. */
const claims = oncePerRun(() => new Map<string, Claimant[]>());

/** What was found out about each namespace. */
const answers = oncePerRun(() => new Map<string, Promise<Absence | undefined>>());

/** Something that a cluster needs and that is not there now. */
interface Absence {
  text: string;
  /** True if the same update may make it. */
  mayCome: boolean;
}

/**
 * Hook that rejects a cluster of which another cluster of the program has an object too, by its own name or by a derived one, before
 * the API server finds the object there.
 */
export function rejectDuplicateName(
  resourceName: string,
  { namespace, name }: MiniClusterSpec,
  component: pulumi.ComponentResource,
  objects: string[],
): pulumi.ResourceHookBinding {
  const claimed = claim({ component, name }, namespace, objects);
  return lookBeforeCreate(`minicluster:${resourceName}:name`, component, async () => {
    const shared = (await claimed).flatMap(({ object, claimants }) => {
      const other = claimants.find((claimant) => claimant.component !== component);
      return other ? [{ object, other }] : [];
    });
    const [first] = shared;
    if (!first) return [];
    const { object, other } = shared.find((found) => found.other.name === name) ?? first;
    const text =
      other.name === name
        ? `another cluster of this program is called "${name}" in the namespace "${namespace}"`
        : `the cluster "${other.name}" of this program has the ${object} in the namespace "${namespace}", too`;
    return [{ severity: "error", text: `${text}; give one of them another name` }];
  });
}

/** Notes that a cluster has some objects. Returns the clusters that have each of them, as they are by the time they are read. */
async function claim(claimant: Claimant, namespace: string, objects: string[]) {
  const known = claims();
  const place = `${await providerOf(claimant.component)} ${namespace}`;
  return objects.map((object) => {
    const claimants = getOrMake(known, `${place}/${object}`, () => [] as Claimant[]);
    claimants.push(claimant);
    return { object, claimants };
  });
}

/**
 * Hook on one object of a cluster that warns of a namespace that is not there and of an API server that does not answer: the
 * Kubernetes provider notices neither before the update.
 */
export function remarkOnPlace(resourceName: string, { namespace }: MiniClusterSpec, options: PlaceOptions) {
  if (!pulumi.runtime.isDryRun()) return {};
  return lookBeforeCreate(`minicluster:${resourceName}:place`, options.parent, async () => {
    const place = `${await providerOf(options.parent)} ${namespace}`;
    const absence = await getOrMake(answers(), place, () => findAbsence(namespace, options.parent));
    const isExpected = absence?.mayCome && comesAfterSomething(options);
    return absence && !isExpected ? [{ severity: "warning", text: absence.text }] : [];
  });
}

/** What tells the provider of a cluster's objects from others of the program. */
async function providerOf(component: pulumi.ComponentResource): Promise<string> {
  const provider = component.getProvider("kubernetes:core/v1:Service");
  return (provider && (await whenKnown(provider.urn))) ?? "the default provider";
}

/** Asks the API server for the namespace. A server that is not known yet, or that refuses to tell, has no absence. */
async function findAbsence(namespace: string, component: pulumi.Resource): Promise<Absence | undefined> {
  const read = await lookAtCluster(component).catch(() => undefined);
  const error = await read?.(`/api/v1/namespaces/${namespace}`).then(
    () => undefined,
    (reason: Error) => reason,
  );
  if (!error) return undefined;
  if (isNotFound(error))
    return {
      text:
        `the namespace "${namespace}" does not exist yet; create it first, or in this program, with the Namespace in the ` +
        "cluster's option dependsOn (depends_on in Python)",
      mayCome: true,
    };
  if (isAnswer(error)) return undefined;
  return {
    text: `the API server does not answer: ${error.message}; check the kubeconfig and its context`,
    mayCome: false,
  };
}

const comesAfterSomething = ({ dependsOn }: PlaceOptions) =>
  dependsOn !== undefined && !(Array.isArray(dependsOn) && dependsOn.length === 0);

/** Setting of the Kubernetes provider by which it writes YAML to files, and speaks to no cluster. */
const setting = "renderYamlToDirectory";

/**
 * Hooks that refuse patches if the Kubernetes provider writes YAML to files: each patch would overwrite the file of its
 * object, and leave a Job of nothing but two counts.
 */
export function refuseRenderedPatches(name: string, component: pulumi.Resource): pulumi.ResourceHookBinding {
  const provider = component.getProvider("kubernetes:core/v1:ConfigMap");
  // What the stack says of the default provider is known at once, and nearly always nothing.
  if (!callsBack() || (!provider && !isDirectory(new pulumi.Config("kubernetes").get(setting)))) return {};
  const rendered = kubernetesSettings(component).then((settings) => isDirectory(settings[setting]));
  return refuseWhere(
    `minicluster:${name}:rendered`,
    component,
    // An engine that cannot tell is no reason to refuse.
    rendered.catch(() => false).then((isSo) => (isSo ? refusal : undefined)),
  );
}

const refusal =
  `the Kubernetes provider writes YAML to files (${setting}), where the patches of resize "patch" would overwrite the Job and ` +
  'the ConfigMap; set resize: "manifest"';

const isDirectory = (value: unknown) => typeof value === "string" && value !== "";

/**
 * Value that the components of one preview or update share, made when the first asks for it. A program in TypeScript has a
 * stack of its own each time; a plugin has none, and may serve one engine after the other.
 */
function oncePerRun<T>(make: () => T): () => T {
  const ofStack = new WeakMap<object, T>();
  const ofEngine = new Map<string, T>();
  return () => {
    const stack = pulumi.runtime.getStackResource();
    return stack ? getOrMake(ofStack, stack, make) : getOrMake(ofEngine, engineAddress(), make);
  };
}

function engineAddress(): string {
  // The SDK declares less than a client of gRPC has.
  const monitor = pulumi.runtime.getMonitor() as { getChannel?: () => { getTarget: () => string } } | undefined;
  return monitor?.getChannel?.().getTarget() ?? "";
}

/** The value of a key, made when it is first asked for. */
function getOrMake<K, T>(
  values: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  key: K,
  make: () => T,
): T {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
