import * as assert from "node:assert/strict";
import {
  type BurstClusterArgs,
  type BurstingArgs,
  type BurstingLoadBalancerArgs,
  type BurstPlan,
  type BurstRootArgs,
  type MiniClusterArgs,
  type MiniClusterContainerArgs,
  type MiniClusterFluxArgs,
  type NodePoolNode,
  type NodePoolScheduling,
  type StudyArgs,
  StudyBetter,
  type StudyClusterArgs,
} from "../../provider";
import { renderCurveCertificate } from "../../provider/core/parse/curveCertificate";
import { ManifestValue } from "../../provider/core/parse/manifestOnly";
import type { LeadSpec, MiniClusterSpec } from "../../provider/core/parse/spec";
import { burstPlan } from "../../provider/bursting/register/outputs";
import { burstingOf } from "../../provider/bursting/parse/spec";
import { parseBurstClusterArgs, parseMiniClusterArgs } from "./specs";

/** Arguments of a small cluster, with defaults for everything that a test does not set. */
export function aMiniClusterArgs(args: Partial<MiniClusterArgs> = {}): MiniClusterArgs {
  const given = { name: "demo", ...(args.container ? {} : { containers: [aContainer()] }), ...args };
  return given.interactive === true && given.containers
    ? { ...given, containers: withoutCommand(given.containers) }
    : given;
}

/** The containers of an interactive cluster, which has no command. */
const withoutCommand = (containers: MiniClusterArgs["containers"]) =>
  (containers as MiniClusterContainerArgs[]).map((container, _, all) =>
    container.runFlux || all.length === 1 ? { ...container, command: undefined } : container,
  );

/** A study with two applications, in a separate MiniCluster. */
export function aStudyArgs(cluster: Partial<StudyClusterArgs> = {}, args: Partial<StudyArgs> = {}): StudyArgs {
  const app = (command: string) => ({ command, figure: { pattern: "took ([0-9.]+)", better: StudyBetter.Lower } });
  return {
    cluster: { containers: [aContainer({ command: undefined })], ...cluster },
    sizes: [1, 2],
    repeats: 2,
    apps: { lammps: app("lmp"), amg: app("amg") },
    ...args,
  };
}

/** A container that runs Flux. */
export function aContainer(args: Partial<MiniClusterContainerArgs> = {}): MiniClusterContainerArgs {
  return { image: "ubuntu:noble", command: "echo hello world", ...args };
}

/** The container that runs Flux, beside others. */
export const aBroker = (args: Partial<MiniClusterContainerArgs> = {}) => aContainer({ runFlux: true, ...args });

/** A container that does not run Flux. */
export const aSidecar = (args: Partial<MiniClusterContainerArgs> = {}) => aContainer({ name: "side", ...args });

/** Arguments with the container that runs Flux alone. */
export const withBroker = (args: Partial<MiniClusterContainerArgs> = {}) => ({ containers: [aBroker(args)] });

/** Arguments with a sidecar beside the container that runs Flux. */
export const withSidecar = (args: Partial<MiniClusterContainerArgs> = {}) => ({
  containers: [aBroker(), aSidecar(args)],
});

/** Arguments with a pod template. */
export const withTemplate = (spec: object) => ({ podTemplate: { spec } });

/** The scheduling output of a pool of plain machines, with changes of a test. */
export function aPool(pool: Partial<NodePoolScheduling> = {}, node: Partial<NodePoolNode> = {}): NodePoolScheduling {
  return {
    pool: "hpc",
    nodeSelector: { "minicluster/pool": "hpc" },
    node: { arch: "amd64", vcpus: 96, cores: 48, memoryMib: 393_216, ...node },
    ...pool,
  };
}

/** A node of a pool of which only devices are known, as existing nodes of different kinds have it. */
export const unknownHardware = { arch: undefined, vcpus: undefined, cores: undefined, memoryMib: undefined };

/** The scheduling output of a pool of machines with eight GPUs and EFA. */
export const aGpuPool = (pool: Partial<NodePoolScheduling> = {}, node: Partial<NodePoolNode> = {}) =>
  aPool(
    { resources: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" }, ...pool },
    { gpus: 8, fabric: "efa", fabricInterfaces: 4, ...node },
  );

/** The spec of such a cluster. */
export const aMiniCluster = (args: Partial<MiniClusterArgs> = {}) =>
  parseMiniClusterArgs("demo", aMiniClusterArgs(args));

/** The same of a cluster that is known to have the lead broker. */
export function aLead(args: Partial<MiniClusterArgs> = {}): LeadSpec {
  const spec = aMiniCluster(args);
  if (spec.role === "follower") throw new Error("it joins a lead broker elsewhere");
  return spec;
}

/** Arguments of a cluster that the cluster "cloud" may join. */
export const aBursting = (args: Partial<BurstingArgs> = {}): BurstingArgs => ({
  clusters: [{ name: "cloud", size: 3, maxSize: 8, cores: 4 }],
  expose: { endpoint: { address: "lead.example.com", port: 30_850 } },
  ...args,
});

/** The same behind a load balancer. */
export const aBalancer = (args: Partial<BurstingLoadBalancerArgs> = {}) =>
  aBursting({ expose: { loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...args } } });

/** Settings of the brokers from a manifest, with the fields that a program does not have. */
export const operatorFlux = ({
  bursting,
  minimalService,
  ...flux
}: MiniClusterFluxArgs & { bursting?: unknown; minimalService?: boolean }): MiniClusterFluxArgs =>
  Object.assign(
    { ...flux },
    bursting !== undefined && { bursting: new ManifestValue(bursting) },
    minimalService !== undefined && { minimalService: new ManifestValue(minimalService) },
  );

/** The lead broker of another cluster, in the operator's form. */
export const aLeadBroker = (args: { address?: string; name?: string; size?: number; port?: number } = {}) => ({
  address: "203.0.113.7",
  name: "demo",
  size: 4,
  ...args,
});

/** The spec of the cluster "home" that others may join. */
export const aHome = (args: Partial<MiniClusterArgs> = {}, bursting: Partial<BurstingArgs> = {}): LeadSpec =>
  aLead({ name: "home", maxSize: 4, bursting: aBursting(bursting), ...args });

/** The plan of that cluster, as it is sent to others. */
export const aPlan = (home: MiniClusterSpec = aHome()): BurstPlan =>
  JSON.parse(JSON.stringify(burstPlan(home, burstingOf(home) ?? assert.fail()))) as BurstPlan;

/** A certificate for tests only. */
const certificate = renderCurveCertificate("stand-in", Buffer.alloc(32, 5));

/** The values that another cluster needs to join, all of them plain. */
export const aRoot = (parts: Partial<BurstRootArgs> = {}): BurstRootArgs => ({
  plan: aPlan(),
  address: "203.0.113.7",
  port: 30_850,
  certificate,
  ...parts,
});

/** Arguments of the cluster "cloud" that joins it. */
export const aBurstClusterArgs = (args: Partial<BurstClusterArgs> = {}): BurstClusterArgs => ({
  root: aRoot(),
  containers: [aContainer({ command: undefined })],
  ...args,
});

/** The spec of such a cluster. */
export const aBurstCluster = (args: Partial<BurstClusterArgs> = {}) =>
  parseBurstClusterArgs("cloud", aBurstClusterArgs(args));
