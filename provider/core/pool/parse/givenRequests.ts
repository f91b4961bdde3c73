import type * as pulumi from "@pulumi/pulumi";
import { amount, properties } from "../../../shared/checks";
import { isDeferred } from "../../../shared/deferred";
import type { Picked } from "../../../shared/rules";
import { type ContainerFields, nameOf, runsFlux } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";

export const resourceLists = ["limits", "requests"] as const;

type ResourceList = (typeof resourceLists)[number];

type Resources = Partial<Record<ResourceList, Record<string, pulumi.Input<string>>>>;

/** Effective resource requests of a container of the pods. Amounts that are known only later are left out. */
export interface ResourceRequest {
  /** Index among the cluster's own containers, undefined for a container that only the user's template has. */
  index: number | undefined;
  resources: Resources;
  /** Path of an explicit amount. */
  pathTo: (list: ResourceList, resource: string) => PropertyKey[];
}

/** List that the scheduler uses for a container: a limit counts if there is no request. */
export const requestingList = ({ resources }: ResourceRequest, resource: string): ResourceList =>
  resources.requests?.[resource] === undefined ? "limits" : "requests";

/** Amount of a resource that a container requests. An amount that is known only later counts as 0. */
export const requested = (request: ResourceRequest, resource: string): number =>
  amount(request.resources[requestingList(request, resource)]?.[resource]) ?? 0;

/** Amount of a resource that some containers of a pod request together. */
export const totalRequested = (requests: ResourceRequest[], resource: string) =>
  requests.reduce((sum, request) => sum + requested(request, resource), 0);

type Home = "containers" | "initContainers";

/** A container of the user's template. */
interface TemplateItem {
  path: PropertyKey[];
  home: Home;
  name: unknown;
  restartPolicy?: unknown;
  resources: Resources;
}

type Pods = Picked<BrokerPodsFields, (typeof requestFields)[number]>;

/** Fields that `containerRequests` reads. */
export const requestFields = [
  "name",
  "podTemplate",
  "containers.*.name",
  "containers.*.runFlux",
  "containers.*.resources",
] as const;

/**
 * Requests of the containers that run in a pod at the same time: the containers of the cluster, then containers that only the
 * user's template has.
 */
export function containerRequests(pods: Pods): ResourceRequest[] {
  const { containers, podTemplate } = pods;
  const template = templateItems(podTemplate);
  const names: unknown[] = containers.map((container) => nameOf(container, pods));
  const own = containers.map((container, index) => {
    const home = runsFlux(container, containers) ? "containers" : "initContainers";
    return requestOf(container, index, itemOf(template, home, names[index]));
  });
  const sidecars = template
    .filter(({ home, restartPolicy }) => home === "containers" || restartPolicy === "Always")
    .filter(({ name }) => typeof name === "string" && !names.includes(name))
    .map(({ path, resources }): ResourceRequest => {
      const pathTo: ResourceRequest["pathTo"] = (list, resource) => [...path, "resources", list, resource];
      return { index: undefined, resources: merged(undefined, resources), pathTo };
    });
  return [...own, ...sidecars];
}

function requestOf(
  { resources }: Pick<ContainerFields, "resources">,
  index: number,
  item: TemplateItem | undefined,
): ResourceRequest {
  const pathTo: ResourceRequest["pathTo"] = (list, resource) => {
    const home = item?.resources[list]?.[resource] === undefined ? ["containers", index] : item.path;
    return [...home, "resources", list, resource];
  };
  return { index, resources: merged(resources, item?.resources), pathTo };
}

/** Resources of the container that runs Flux, with the resources in the user's template. */
export const mergedResources = (
  { name, resources }: { name: string; resources?: Resources },
  podTemplate: Pods["podTemplate"],
): Resources => merged(resources, itemOf(templateItems(podTemplate), "containers", name)?.resources);

const itemOf = (template: TemplateItem[], home: Home, name: unknown) =>
  template.find((item) => name !== undefined && item.home === home && item.name === name);

/** Resources with other resources merged over them, amount by amount. A list that is known only later counts as empty. */
function merged(given: Resources | undefined, over: Resources | undefined): Resources {
  const lists = resourceLists.map((list) => {
    const theirs = over?.[list];
    // A value that is known only later replaces the whole list.
    return [list, isDeferred(theirs) ? undefined : { ...given?.[list], ...theirs }] as const;
  });
  return Object.fromEntries(lists);
}

interface GivenItem {
  name?: unknown;
  restartPolicy?: unknown;
  resources?: unknown;
}

/** Containers of the user's template, which may have any form: another rule checks the form. */
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

/** Resources in a template, where Kubernetes also accepts a number for a quantity. */
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
