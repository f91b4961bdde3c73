import { properties } from "../../../shared/checks";
import type { BurstingArgs, BurstingLoadBalancerArgs as LoadBalancer, MiniClusterArgs } from "../../args";
import { leadServiceName, maxHostnameLength } from "../../names";
import type { AddIssue } from "../../../shared/rules";
import { ownAnnotations } from "./annotations";

const ways = ["nodePort", "loadBalancer", "endpoint"] as const;

/** There is one way to the lead broker, its address can be known, and its service can have its name. */
export function exposeRules(
  args: Partial<MiniClusterArgs>,
  expose: Partial<BurstingArgs["expose"]>,
  addIssue: AddIssue,
): void {
  const given = ways.filter((way) => expose[way] !== undefined);
  if (given.length !== 1)
    addIssue(
      ["expose"],
      given.length === 0
        ? "no broker of another cluster could reach the lead broker; add nodePort, loadBalancer or endpoint"
        : `${given.join(" and ")} are two ways to one broker; keep one of them`,
    );
  serviceNameRules(args, expose, addIssue);
  const isRendered = args.resize === "manifest";
  if (isRendered && expose.loadBalancer !== undefined)
    addIssue(["expose", "loadBalancer"], "has an address only where it runs, not in rendered YAML; use endpoint");
  const { nodePort } = expose;
  if (isRendered && nodePort !== undefined && properties(nodePort).port === undefined)
    addIssue(["expose", "nodePort", "port"], "is chosen only where it runs, not in rendered YAML; give one");
  if (expose.loadBalancer !== undefined)
    sourceRules(properties(expose.loadBalancer), (path, message) =>
      addIssue(["expose", "loadBalancer", ...path], message),
    );
}

/** A load balancer is closed but for the named sources, and private unless it is said in its own place. */
function sourceRules(
  { sourceRanges = [], openToWorld, internetFacing, annotations, cloud }: Partial<LoadBalancer>,
  addIssue: AddIssue,
): void {
  for (const key of Object.keys(properties(annotations)))
    if (cloud !== "other" && ownAnnotations.includes(key))
      addIssue(["annotations", key], "is set by cloud and internetFacing; say it there");
  if (!Array.isArray(sourceRanges)) return;
  if (openToWorld !== true && sourceRanges.length === 0)
    addIssue(["sourceRanges"], "names nobody who may connect; add the networks of the clusters that join");
  if (openToWorld !== true) return;
  if (sourceRanges.length > 0)
    addIssue(["openToWorld"], "lets in every address, and sourceRanges only some; keep one of them");
  if (internetFacing !== true)
    addIssue(["openToWorld"], "means nothing for a private address; add internetFacing: true or name sourceRanges");
}

/** The service of the lead broker is one more name, made of that of the cluster. */
function serviceNameRules(
  { name, network }: Partial<MiniClusterArgs>,
  { nodePort, loadBalancer }: Partial<BurstingArgs["expose"]>,
  addIssue: AddIssue,
): void {
  if (typeof name !== "string" || (nodePort ?? loadBalancer) === undefined) return;
  const { headlessName } = properties(network);
  const own = leadServiceName({ name });
  const at = (reason: string) =>
    addIssue(
      ["expose"],
      `makes the service ${own} for the lead broker, ${reason}, or lead there by an endpoint of your own`,
    );
  if (own === headlessName) at("which is the name of network.headlessName too; choose another one for that");
  const excess = own.length - maxHostnameLength;
  if (excess > 0) at(`and ${maxHostnameLength} characters are allowed; shorten name by ${excess}`);
  // Where the headless service takes the name, it is refused for that one already.
  if (/^\d/.test(name) && headlessName !== undefined)
    at("which starts with a digit, and a service's name cannot; rename the cluster");
}
