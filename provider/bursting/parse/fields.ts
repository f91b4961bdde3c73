import { isIP, isIPv4 } from "node:net";
import { z } from "zod";
import { pool, price } from "../../clouds/nodes/parse/pool";
import { aksLoadBalancer } from "../../clouds/aks/loadBalancer";
import { eksLoadBalancer } from "../../clouds/eks/loadBalancer";
import { gkeLoadBalancer } from "../../clouds/gke/loadBalancer";
import type { CloudLoadBalancer } from "../../clouds/loadBalancer";
import {
  annotations,
  choice,
  dnsLabel,
  flag,
  integer,
  leaf,
  list,
  object,
  qualifiedName,
  tcpPort,
  text,
} from "../../shared/checks";
import { BurstingCloud, BurstingOrder } from "../args";
import { address, hosts, property } from "../../core/parse/hosts";
import { brokerPort, maxPods } from "../../core/parse/names";

/** Shortest prefix of a network. A shorter prefix is the whole internet or a large part of it. */
const shortestPrefix = (network: string) => (isIPv4(network) ? 8 : 16);

/** A network in CIDR form. */
export const sourceRange = text.superRefine((value, context) => {
  const [network = "", bits = "", ...rest] = value.split("/");
  const isNetwork = isIP(network) !== 0 && /^(0|[1-9]\d*)$/.test(bits) && Number(bits) <= (isIPv4(network) ? 32 : 128);
  const addIssue = (message: string) => context.addIssue({ code: "custom", message });
  if (!isNetwork || rest.length > 0)
    addIssue(`${JSON.stringify(value)} must be a network in CIDR form such as "203.0.113.0/24"`);
  else if (Number(bits) < shortestPrefix(network))
    addIssue(`${value} is wider than /${shortestPrefix(network)}; to allow all addresses, set openToWorld: true`);
});

/** The load balancer of each cloud. */
export const loadBalancers: Record<BurstingCloud, CloudLoadBalancer> = {
  [BurstingCloud.Aws]: eksLoadBalancer,
  [BurstingCloud.Gcp]: gkeLoadBalancer,
  [BurstingCloud.Azure]: aksLoadBalancer,
  [BurstingCloud.Other]: { internal: {}, internetFacing: {}, reach: [] },
};

/** Annotations that decide who can reach a load balancer. */
export const ownAnnotations = Object.values(loadBalancers).flatMap(({ reach }) => reach);

const cluster = object({
  name: dnsLabel,
  size: integer(0, maxPods).default(0),
  maxSize: hosts,
  properties: list(property).default([]),
  cores: integer(1, 100_000).optional(),
  gpus: integer(0, 100_000).optional(),
  pool: pool.optional(),
  pricePerHour: price.optional(),
});

// Each move adds two events to the log of a job, so moves must be rare.
const minGiveUpSeconds = 10;
const week = 604_800;

const place = object({
  order: choice(BurstingOrder).default(BurstingOrder.Listed),
  afterSeconds: integer(0, week).default(120),
  giveUpSeconds: integer(minGiveUpSeconds, week).default(600),
  clusters: list(dnsLabel)
    .refine((names) => names.length > 0, { error: "needs at least one cluster; add one, or remove clusters" })
    .optional(),
});

const exposeFields = {
  nodePort: object({ address: leaf(address), port: tcpPort.optional() }).optional(),
  loadBalancer: object({
    cloud: choice(BurstingCloud),
    sourceRanges: list(leaf(sourceRange)).default([]),
    openToWorld: flag.default(false),
    internetFacing: flag.default(false),
    annotations: annotations.default({}),
    loadBalancerClass: qualifiedName.optional(),
  }).optional(),
  endpoint: object({ address: leaf(address), port: tcpPort.default(brokerPort) }).optional(),
  demand: object({ port: tcpPort.optional() }).optional(),
};

const expose = object(exposeFields, "how other clusters reach the lead broker: nodePort, loadBalancer or endpoint");

/** The clusters that can join, and the endpoint of the lead broker. */
export const bursting = object({
  clusters: list(cluster).refine((clusters) => clusters.length > 0, {
    error: "needs at least one cluster; add one, or remove bursting",
  }),
  expose,
  spanClusters: flag.default(false),
  place: place.optional(),
});

/** Parsed arguments of the clusters that may join. */
export type BurstingFields = z.output<typeof bursting>;
