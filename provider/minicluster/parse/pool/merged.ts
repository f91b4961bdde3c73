import { isDeferred, properties } from "../../../shared/checks";
import type { MiniClusterArgs, MiniClusterContainerArgs, MiniClusterResourcesArgs } from "../../args";
import { nameOf, runsFlux } from "../containerRules";

type Args = Partial<MiniClusterArgs>;
type Container = Partial<MiniClusterContainerArgs>;
type Resources = Partial<MiniClusterResourcesArgs>;
type Home = "containers" | "initContainers";

export const resourceLists = ["limits", "requests"] as const;

/** A container of the pods with what it asks for in the end, as far as that is known now. */
export interface ResourceRequest {
  /** Its place among the cluster's own containers. Those that only the user's template has are in no such place. */
  index: number | undefined;
  resources: Resources;
  /** Where an amount has been given. */
  pathTo: (list: keyof MiniClusterResourcesArgs, resource: string) => PropertyKey[];
}

/** A container of the user's template. */
interface TemplateItem {
  path: PropertyKey[];
  home: Home;
  name: unknown;
  restartPolicy?: unknown;
  resources: Resources;
}

/** The containers that are in a pod at the same time, those that only the user's template has after the cluster's own. */
export function containerRequests(args: Args): ResourceRequest[] {
  const template = templateItems(args.podTemplate);
  const all = Array.isArray(args.containers) ? args.containers.map(properties) : [];
  // Unlike map, this passes over the holes of a list.
  const own = all.flatMap((container: Container, index) => {
    const name = nameOf(container, all, args);
    const item = itemOf(template, runsFlux(container, all) ? "containers" : "initContainers", name);
    return [{ name, asking: requestOf(container, index, item) }];
  });
  const names: unknown[] = own.map(({ name }) => name);
  const others = template
    .filter(({ home, restartPolicy }) => home === "containers" || restartPolicy === "Always")
    .filter(({ name }) => typeof name === "string" && !names.includes(name))
    .map(({ path, resources }): ResourceRequest => {
      const pathTo: ResourceRequest["pathTo"] = (list, resource) => [...path, "resources", list, resource];
      return { index: undefined, resources: merged(undefined, resources), pathTo };
    });
  return [...own.map(({ asking }) => asking), ...others];
}

function requestOf({ resources }: Container, index: number, item: TemplateItem | undefined): ResourceRequest {
  const pathTo: ResourceRequest["pathTo"] = (list, resource) => {
    const isInTemplate = properties(item?.resources[list])[resource] !== undefined;
    const home = item && isInTemplate ? item.path : ["containers", index];
    return [...home, "resources", list, resource];
  };
  return { index, resources: merged(resources, item?.resources), pathTo };
}

/** The resources of the container that runs Flux, with what the user's template says of them. */
export const mergedResources = (
  { name, resources }: Pick<Container, "name" | "resources">,
  podTemplate: Args["podTemplate"],
): Resources => merged(resources, itemOf(templateItems(podTemplate), "containers", name)?.resources);

const itemOf = (template: TemplateItem[], home: Home, name: string | undefined) =>
  template.find((item) => name !== undefined && item.home === home && item.name === name);

/** Some resources with others merged over them, amount by amount. A list that is only known later is none here. */
function merged(given: Resources | undefined, over: Resources | undefined): Resources {
  const lists = resourceLists.map((list) => {
    const [mine, theirs] = [properties(given)[list], over?.[list]];
    // What is only known later takes the place of a list as a whole.
    return [list, isDeferred(theirs) ? undefined : { ...properties(mine), ...properties(theirs) }];
  });
  return Object.fromEntries(lists) as Resources;
}

interface GivenItem {
  name?: unknown;
  restartPolicy?: unknown;
  resources?: unknown;
}

/** The containers of the user's template, whatever form it has. */
function templateItems(podTemplate: unknown): TemplateItem[] {
  const { spec } = properties(podTemplate as { spec?: Partial<Record<Home, unknown>> });
  return (["containers", "initContainers"] as const).flatMap((home) => {
    const items = properties(spec)[home];
    return (Array.isArray(items) ? items : []).map((item: GivenItem, index) => {
      const { name, restartPolicy, resources } = properties(item);
      const path = ["podTemplate", "spec", home, index];
      return { path, home, name, restartPolicy, resources: amountsIn(resources) };
    });
  });
}

/** Resources in a template, where Kubernetes takes a number for a quantity, too. */
function amountsIn(resources: unknown): Resources {
  const lists = resourceLists.map((list) => {
    const given = isDeferred(resources) ? resources : properties(resources as Record<string, unknown>)[list];
    return [list, isDeferred(given) ? given : quantities(properties(given as Record<string, unknown>))];
  });
  return Object.fromEntries(lists) as Resources;
}

const quantities = (amounts: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(amounts)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [name, typeof each === "number" ? String(each) : each]),
  );
