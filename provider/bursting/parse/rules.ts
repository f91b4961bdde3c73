import { MiniClusterResize } from "../../core/args";
import { BurstingCloud } from "../args";
import { ownAnnotations } from "./fields";
import {
  derivedServiceProblems,
  flatForBursting,
  isFlat,
  refusePolicy,
  serviceNameFields,
} from "../../core/parse/clusterRules";
import type { JoinedFields } from "./clusterFields";
import { hostProperties } from "../../core/parse/instance";
import { demandPort, maxHostnameLength, maxPods, podHostname } from "../../core/parse/names";
import { leadServiceName } from "./names";
import { maxSizeFields, maxSizeOf } from "../../core/parse/sizes";
import { type Rule, forEachItem, prefixPath, ruleOn } from "../../shared/rules";

const rule = ruleOn<JoinedFields>();

/** The rules on other arguments of the cluster that exclude `bursting`. */
const besideRules = [
  rule(["bursting?", "flux.bursting?"], ({ bursting, flux }, addIssue) => {
    if (bursting && flux.bursting !== undefined)
      addIssue(["flux", "bursting"], "is the operator's form of bursting; keep one of the two");
  }),
  rule(["bursting?", "flux.brokerConfig"], ({ bursting, flux }, addIssue) => {
    if (bursting && flux.brokerConfig !== undefined)
      addIssue(["flux", "brokerConfig"], "is the whole configuration, and bursting needs its hosts; keep one of them");
  }),
  rule(["bursting?", "flux.topology"], ({ bursting, flux }, addIssue) => {
    if (bursting && !isFlat(flux.topology)) addIssue(["flux", "topology"], flatForBursting);
  }),
  rule(["bursting?", "flux.scheduler.simple"], ({ bursting, flux }, addIssue) => {
    if (bursting && flux.scheduler.simple)
      addIssue(
        ["flux", "scheduler", "simple"],
        "has one queue for all clusters: a job that waits for a cluster to join would block every other job; use Fluxion",
      );
  }),
  rule(["bursting?", "network.policy"], (fields, addIssue) => {
    if (fields.bursting) refusePolicy(fields, addIssue);
  }),
];

const exposeKinds = ["nodePort", "loadBalancer", "endpoint"] as const;

/** The rule that exactly one argument sets the endpoint of the lead broker. */
const endpointRule = rule(
  ["bursting.expose.nodePort?", "bursting.expose.loadBalancer?", "bursting.expose.endpoint?"],
  ({ bursting }, addIssue) => {
    if (!bursting) return;
    const { expose } = bursting;
    const given = exposeKinds.filter((kind) => expose[kind] !== undefined);
    if (given.length === 0)
      addIssue(
        ["bursting", "expose"],
        "brokers of other clusters cannot reach the lead broker; add nodePort, loadBalancer or endpoint",
      );
    if (given.length > 1)
      addIssue(["bursting", "expose"], `${given.join(" and ")} exclude each other; keep one of them`);
  },
);

/** The rule on the port of the demand, which differs from the port of the brokers. */
const demandRule = rule(
  [
    "bursting.expose.nodePort.port",
    "bursting.expose.loadBalancer?",
    "bursting.expose.endpoint.port",
    "bursting.expose.demand.port",
    "resize",
  ],
  ({ bursting, resize }, addIssue) => {
    if (!bursting?.expose.demand) return;
    const { nodePort, loadBalancer, endpoint, demand } = bursting.expose;
    const at = prefixPath(addIssue, "bursting", "expose", "demand", "port");
    if (demand.port === undefined) {
      if (nodePort && resize === MiniClusterResize.Manifest) at([], "has no default in rendered YAML; set it");
      return;
    }
    if (loadBalancer) at([], `is always ${demandPort} with loadBalancer; remove it`);
    if (demand.port === (nodePort ?? endpoint)?.port)
      at([], `${demand.port} is the brokers' port; choose another port`);
  },
);

/** The rule on the name of the lead broker's Service, which is derived from the name of the cluster. */
const serviceNameRule = rule(
  ["bursting.expose.nodePort?", "bursting.expose.loadBalancer?", ...serviceNameFields],
  ({ bursting, ...fields }, addIssue) => {
    if (!(bursting?.expose.nodePort ?? bursting?.expose.loadBalancer)) return;
    const own = leadServiceName(fields);
    for (const problem of derivedServiceProblems(own, fields))
      addIssue(["bursting", "expose"], `needs the Service ${own} for the lead broker, ${problem}, or use endpoint`);
  },
);

/** The rule that the address is known when the YAML is rendered. */
const renderedRule = rule(
  ["bursting.expose.nodePort.port", "bursting.expose.loadBalancer?", "resize"],
  ({ bursting, resize }, addIssue) => {
    if (!bursting || resize !== MiniClusterResize.Manifest) return;
    const { expose } = bursting;
    if (expose.loadBalancer !== undefined)
      addIssue(["bursting", "expose", "loadBalancer"], "has no address in rendered YAML; use endpoint");
    if (expose.nodePort !== undefined && expose.nodePort.port === undefined)
      addIssue(["bursting", "expose", "nodePort", "port"], "has no default in rendered YAML; set it");
  },
);

/** The rule that a load balancer accepts only the given sources, and is public only with a separate argument. */
const sourceRule = rule(["bursting.expose.loadBalancer"], ({ bursting }, addIssue) => {
  const { loadBalancer } = bursting?.expose ?? {};
  if (!loadBalancer) return;
  const { sourceRanges, openToWorld, internetFacing, annotations, cloud } = loadBalancer;
  const at = prefixPath(addIssue, "bursting", "expose", "loadBalancer");
  for (const key of Object.keys(annotations))
    if (cloud !== BurstingCloud.Other && ownAnnotations.includes(key))
      at(["annotations", key], "is set by cloud and internetFacing; remove it");
  if (!openToWorld && sourceRanges.length === 0)
    at(["sourceRanges"], "is empty, so no address can connect; add the networks of the clusters that join");
  if (openToWorld && sourceRanges.length > 0)
    at(["openToWorld"], "openToWorld and sourceRanges exclude each other; keep one of them");
  if (openToWorld && !internetFacing)
    at(["openToWorld"], "requires internetFacing: true; add it, or name sourceRanges");
});

const sizeRule = rule(["bursting.clusters[].size", "bursting.clusters[].maxSize"], ({ bursting }, addIssue) =>
  forEachItem(bursting?.clusters ?? [], ({ size, maxSize }, index) => {
    if (size > maxSize)
      addIssue(
        ["bursting", "clusters", index, "size"],
        `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`,
      );
  }),
);

const gpusRule = rule(
  ["bursting.clusters[].gpus", "bursting.clusters[].cores", "bursting.clusters[].pool?"],
  ({ bursting }, addIssue) =>
    forEachItem(bursting?.clusters ?? [], ({ gpus, cores, pool }, index) => {
      if (gpus !== undefined && cores === undefined && pool === undefined)
        addIssue(["bursting", "clusters", index, "gpus"], "requires cores or pool; add one of them");
    }),
);

const clusterNameRule = rule(["bursting.clusters[].name", "bursting.clusters[].maxSize"], ({ bursting }, addIssue) => {
  const { clusters = [] } = bursting ?? {};
  forEachItem(clusters, ({ name, maxSize }, index) => {
    const last = podHostname({ name }, maxSize - 1);
    const excess = last.length - maxHostnameLength;
    if (excess > 0)
      addIssue(
        ["bursting", "clusters", index, "name"],
        `its last host name, ${last}, is longer than ${maxHostnameLength} characters; shorten name by ${excess}`,
      );
  });
});

/** The rule that the names of the clusters are unique: a host belongs to one cluster, and its rank is the position of its name. */
const clashRule = rule(["bursting.clusters[].name", "name"], ({ bursting, name }, addIssue) => {
  const { clusters = [] } = bursting ?? {};
  const taken = new Map([[name, "this cluster"]]);
  forEachItem(clusters, (cluster, index) => {
    const holder = taken.get(cluster.name);
    if (holder)
      addIssue(
        ["bursting", "clusters", index, "name"],
        `"${cluster.name}" is also the name of ${holder}; rename one of them`,
      );
    else taken.set(cluster.name, `clusters[${index}]`);
  });
});

/**
 * The rule on properties: the queue of a cluster has all hosts with the cluster's name as a property, so no host of another cluster
 * may have that property.
 */
const propertyRule = rule(
  ["bursting.clusters.*.name", "bursting.clusters.*.properties", "bursting.clusters.*.pool", "name", "pool"],
  ({ bursting, name, pool }, addIssue) => {
    if (!bursting) return;
    const { clusters } = bursting;
    const ofPool = (home: JoinedFields["pool"]) => (home ? hostProperties(home) : []);
    const all = [
      { own: name, place: ["pool"], has: ofPool(pool) },
      ...clusters.map((cluster, index) => ({
        own: cluster.name,
        place: ["bursting", "clusters", index, "properties"],
        has: [...ofPool(cluster.pool), ...cluster.properties],
      })),
    ];
    const names = new Map(all.map(({ own }, index) => [own, index === 0 ? "this cluster" : `clusters[${index - 1}]`]));
    for (const { own, place, has } of all)
      for (const property of new Set(has)) {
        const holder = property === own ? undefined : names.get(property);
        if (holder === undefined) continue;
        addIssue(
          place,
          `its hosts would have the property "${property}", which is the name of ${holder}, and would be in the queue of ` +
            `${holder}; rename one of them`,
        );
      }
  },
);

const totalRule = rule(["bursting.clusters.*.maxSize", ...maxSizeFields], (fields, addIssue) => {
  if (!fields.bursting) return;
  const { clusters } = fields.bursting;
  const own = maxSizeOf(fields);
  const total = clusters.reduce((sum, { maxSize }) => sum + maxSize, own);
  // In the flat tree each host is a connection of the single lead broker, so the limit of one Job applies.
  if (total > maxPods)
    addIssue(
      ["bursting", "clusters"],
      `the instance would have ${total} hosts, including ${own} of this cluster, above the maximum of ${maxPods}; ` +
        "lower a maxSize",
    );
});

/** The rules on a cluster that other clusters can join. */
export const burstingRules: Rule<JoinedFields>[] = [
  ...besideRules,
  endpointRule,
  demandRule,
  serviceNameRule,
  renderedRule,
  sourceRule,
  sizeRule,
  gpusRule,
  clusterNameRule,
  clashRule,
  propertyRule,
  totalRule,
];
