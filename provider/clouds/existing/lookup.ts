import * as pulumi from "@pulumi/pulumi";
import {
  choiceOf,
  connectionIfAny,
  FailedRead,
  isNotFound,
  isRendering,
  labelSelector,
  type Read,
  send,
  settingsOf,
} from "../../diagnostics/apiServer";
import { contextProblem } from "../../diagnostics/connection/kubeconfig";
import { inputPropertiesError, type Issue, problemsOf, thrownText } from "../../shared/errors";
import { printable } from "../../shared/printable";
import { checked } from "../../shared/rules";
import type { LookupNodesArgs, LookupNodesResult } from "./args";
import { type LookupNodesFields, lookupNodesFields } from "./parse/fields";
import { needsAttachment } from "./parse/devices";
import {
  type DeviceClass,
  devicesByNode,
  type NetworkAttachment,
  type Node,
  type ResourceSlice,
} from "./parse/clusterObjects";
import { type FoundNodes, givenScheduling, schedulingOn } from "./parse/scheduling";

/**
 * Reads the nodes of an existing Kubernetes cluster, and returns what `pool` of a cluster needs: labels, taints, architecture, CPUs,
 * GPUs, the network and its settings. Rejects if the arguments do not suit the nodes. Without a connection or the permission to list
 * nodes, it logs a warning and returns what the arguments give. Uses the Kubernetes provider of `options`, or the default provider.
 */
export async function lookupNodes(
  args: LookupNodesArgs = {},
  options: { provider?: pulumi.ProviderResource } = {},
): Promise<LookupNodesResult> {
  const { provider } = options;
  const settings = { ...(await settingsOf(provider).catch(() => ({}))), ...(provider ? {} : given(args)) };
  const { warnings, ...result } = await nodesBy(args, settings);
  for (const warning of warnings) void pulumi.log.warn(warning);
  return result;
}

const given = ({ kubeconfig, context }: LookupNodesArgs) => ({
  ...(kubeconfig !== undefined && { kubeconfig }),
  ...(context !== undefined && { context }),
});

/** The result of `lookupNodes` with the settings of a Kubernetes provider, and the warnings to log. */
export async function nodesBy(
  args: LookupNodesArgs,
  settings: Record<string, unknown>,
): Promise<LookupNodesResult & { warnings: string[] }> {
  const { data, issues } = checked(lookupNodesFields, args, () => undefined);
  if (issues.length > 0 || !data) throw refused(issues);
  const found = isRendering(settings) ? "the provider writes files" : await read(data, settings);
  if (typeof found === "string") {
    const warning = `${data.name}: the nodes were not read (${found}); only the given values count`;
    return { scheduling: givenScheduling(data), warnings: [warning] };
  }
  const { issues: unfit, warnings, ...result } = schedulingOn(data, found);
  if (unfit.length > 0) throw refused(unfit);
  return { ...result, warnings: warnings.map((warning) => `${data.name}: ${warning}`) };
}

const refused = (issues: Issue[]) => inputPropertiesError("lookupNodes", problemsOf(issues));

/** What the Kubernetes cluster has, or why it was not read. */
async function read(args: LookupNodesFields, settings: Record<string, unknown>): Promise<FoundNodes | string> {
  const choice = choiceOf(settings);
  const connection = connectionIfAny(choice);
  if (!connection) return contextProblem(choice) ?? "there is no kubeconfig yet";
  try {
    return await readNodes(args, (path) => send(connection, path).catch((error: unknown) => refuse(path, error)));
  } catch (error) {
    if (!(error instanceof FailedRead)) return printable(thrownText(error));
    if (error.status === 401) return "the API server does not accept the credentials; log in again";
    return `the API server has answered ${error.status}`;
  }
}

/** Throws an error, which names the kind of the objects if listing them is not allowed. */
function refuse(path: string, error: unknown): never {
  if (!(error instanceof FailedRead) || error.status !== 403) throw error;
  const [, kind] = /([^/]+)\?/.exec(path) ?? [];
  throw new Error(`listing ${kind} is not allowed; a ClusterRole with list of ${kind} allows it`);
}

async function readNodes({ selector, deviceClasses, fabric }: LookupNodesFields, read: Read): Promise<FoundNodes> {
  const matching = await listOf<Node>(
    read,
    `/api/v1/nodes?labelSelector=${encodeURIComponent(labelSelector(selector))}`,
  );
  // For the message on a selector that matches nothing.
  const nodes = matching.length > 0 ? matching : await listOf<Node>(read, "/api/v1/nodes?");
  const [classes, slices, attachments] = await Promise.all([
    deviceClasses.length > 0 ? listIfAny<DeviceClass>(read, "/apis/resource.k8s.io/v1/deviceclasses?") : [],
    deviceClasses.length > 0 ? listIfAny<ResourceSlice>(read, "/apis/resource.k8s.io/v1/resourceslices?") : [],
    needsAttachment(fabric, matching)
      ? // Without them, a warning names the annotation to set.
        listOf<NetworkAttachment>(read, "/apis/k8s.cni.cncf.io/v1/network-attachment-definitions?").catch(() => [])
      : [],
  ]);
  return { nodes, classes, devices: devicesByNode(slices), attachments };
}

/** All objects of a list; none if the Kubernetes cluster does not have the API. */
const listIfAny = <T>(read: Read, path: string): Promise<T[]> =>
  listOf<T>(read, path).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return [];
  });

/** A Node has about 10 kB. */
const pageSize = 500;

/** All objects of a list, page by page. */
async function listOf<T>(read: Read, path: string): Promise<T[]> {
  const items: T[] = [];
  let token = "";
  do {
    const query = `limit=${pageSize}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const page = (await read(`${path}&${query}`)) as { items: T[]; metadata?: { continue?: string } };
    items.push(...page.items);
    token = page.metadata?.continue ?? "";
  } while (token !== "");
  return items;
}
