import { setTimeout as sleep } from "node:timers/promises";
import type { RatesName } from "../../sandbox/controlPlane/commands";
import { bytesOf } from "./bytes";
import type { Ground } from "./ground";
import { watchMemory } from "./memory";
import { PodWatch } from "./podWatch";
import { addPoolNodes } from "./pools";
import { countRequests } from "./requests";
import { isUnchanged, type PlannedStep, podsAfter, type Step, type Way } from "./step";
import { type Site, type Traveller, withPulumi, withRequests } from "./ways";

/** Clusters that are made and resized, size after size. */
export interface Journey {
  rates: RatesName;
  way: Way;
  antiAffinity: boolean;
  clusters: number;
  groups?: number;
  /** Pods of each cluster, or of each group of it, in turn. The same size twice is an `up` that has nothing to do. */
  sizes: number[];
  maxSize: number;
  /** Whether each cluster is on a separate pool of nodes. */
  onPools?: boolean;
  run: number;
}

const limitMs = 1_800_000;

/** Runs one journey. A failure is recorded among the figures, as are the steps after it, which could not be tried. */
export async function travel(ground: Ground, journey: Journey): Promise<Step[]> {
  const planned = plannedSteps(journey);
  const seen: Step[] = [];
  try {
    await ground.ready(journey.rates);
    await ground.cluster.failEarly(goThrough(ground, journey, planned, (step) => seen.push(step)));
    return seen;
  } catch (error) {
    const reason = await ground.failed(error);
    const [failed, ...rest] = planned.slice(seen.length);
    const untried = rest.map((step) => ({ ...step, failure: "not tried, because what comes before it failed" }));
    return [...seen, ...(failed ? [{ ...failed, failure: reason }] : []), ...untried];
  }
}

/** The preview alone of a change: a figure of the engine and the plugin, which the API server hardly has a part in. */
export async function lookAhead(
  ground: Ground,
  change: Pick<PlannedStep, "clusters" | "from" | "to" | "run">,
): Promise<Step> {
  const step: PlannedStep = { rates: "raised", way: "up", antiAffinity: true, ...change };
  const { from, to } = step;
  ground.report(`preview, ${describe(step)}`);
  await ground.ready(step.rates);
  const namespace = await ground.newNamespace();
  const traveller = await withPulumi(ground, siteOf(namespace, { ...step, maxSize: Math.max(from, to) }));
  try {
    const before = { ...step, from: 0, to: from };
    if (from > 0) await traveller.prepare(before).then(() => traveller.go(before));
    const { preview } = await traveller.prepare(step);
    return { ...step, preview };
  } finally {
    traveller.end();
    await ground.clear(namespace);
  }
}

function siteOf(
  namespace: string,
  {
    clusters,
    antiAffinity,
    groups = 0,
    maxSize,
    onPools = false,
  }: Pick<Journey, "clusters" | "antiAffinity" | "groups" | "maxSize" | "onPools">,
): Site {
  const names = Array.from({ length: clusters }, (_, i) => (clusters === 1 ? "demo" : `demo${i}`));
  return { names, namespace, antiAffinity, groups, maxSize, onPools, limitMs };
}

/** Whether all steps of a journey are among these. */
export const isKnown = (journey: Journey, steps: Step[]) =>
  plannedSteps(journey).every((planned) => steps.some((step) => describe(step) === describe(planned)));

/** As the bench prints it, and selects by it. */
export const journeyName = ({ sizes, ...traveller }: Journey) => nameOf(traveller, sizes.join(" to "));

function plannedSteps({ rates, way, antiAffinity, clusters, groups, sizes, run }: Journey): PlannedStep[] {
  const traveller = { rates, way, antiAffinity, clusters, ...(groups && { groups }) };
  const all = sizes.map((to, i) => ({ ...traveller, from: sizes[i - 1] ?? 0, to, run }));
  // Nothing is requested without pods.
  return all.filter((step) => way === "up" || !isUnchanged(step));
}

async function goThrough(
  ground: Ground,
  journey: Journey,
  planned: PlannedStep[],
  onStep: (step: Step) => void,
): Promise<void> {
  const namespace = await ground.newNamespace();
  const site = siteOf(namespace, journey);
  const removeNodes = site.onPools ? await addPoolNodes(ground.cluster, site.names, site.maxSize) : undefined;
  const pods = new PodWatch(ground.cluster.api, namespace);
  const traveller = await { up: withPulumi, requests: withRequests }[journey.way](ground, site);
  try {
    for (const step of planned) {
      ground.report(describe(step));
      onStep({ ...step, ...(await takeStep(ground, step, { site, pods, traveller })) });
    }
  } finally {
    traveller.end();
    pods.close();
  }
  // The rest goes at rates that cause no wait.
  await ground.ready("raised");
  await ground.clear(namespace);
  await removeNodes?.();
}

async function takeStep(
  ground: Ground,
  step: PlannedStep,
  { site, pods, traveller }: { site: Site; pods: PodWatch; traveller: Traveller },
): Promise<Partial<Step>> {
  const memory = watchMemory();
  try {
    const prepared = await traveller.prepare(step);
    const requests = await countRequests(ground.cluster);
    const start = performance.now();
    const since = (moment: number) => Math.round(moment - start);
    const settled = isUnchanged(step) ? undefined : pods.reach(podsAfter(step));
    const done = traveller.go(step).then(() => since(performance.now()));
    const [returned, moments] = await Promise.race([Promise.all([done, settled]), limit(pods)]);
    const { firstPod, lastPod, ready } = moments ?? {};
    return {
      ...prepared,
      ...(firstPod && lastPod && ready && { firstPod: since(firstPod), lastPod: since(lastPod), ready: since(ready) }),
      returned,
      requests: await requests(),
      ...(step.way === "up" && { memory: memory() }),
      ...traveller.look(step),
      configuration: await configurationOf(ground, site, step),
    };
  } finally {
    memory();
  }
}

async function limit(pods: PodWatch): Promise<never> {
  await sleep(limitMs, undefined, { ref: false });
  throw new Error(`given up after ${limitMs / 60_000} minutes: ${pods.seen()}`);
}

async function configurationOf({ cluster }: Ground, { names: [name], namespace }: Site, { to }: PlannedStep) {
  const path = `/api/v1/namespaces/${namespace}/configmaps/${name}-entrypoint`;
  return bytesOf(JSON.stringify(await cluster.api.request("GET", path)), to);
}

const describe = ({ from, to, ...traveller }: PlannedStep) => nameOf(traveller, `${from} to ${to}`);

const nameOf = ({ rates, way, antiAffinity, clusters, groups, run }: Omit<PlannedStep, "from" | "to">, sizes: string) =>
  `run ${run}, ${rates} rates: ${clusters} x ${groups ? `${groups} groups of ` : ""}${sizes} pods by ` +
  `${way}${antiAffinity ? "" : ", no anti-affinity"}`;
