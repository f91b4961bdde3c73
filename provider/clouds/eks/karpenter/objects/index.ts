import type * as pulumi from "@pulumi/pulumi";
import { mapInput, mapTexts } from "../../../../shared/deferred";
import { withoutEmpty } from "../../../../shared/objects";
import { buildKarpenterNodePool, type KarpenterObject } from "../../../karpenter/objects";
import { NodePoolLocalDisks } from "../../../nodes/args";
import { byClaim, draLabels } from "../../../nodes/parse/scheduling";
import { EksNodePoolCapacityType, EksNodePoolOs } from "../../nodes/args";
import { efaInterfaces, isCombinedLayout } from "../../nodes/parse/efa";
import { capacityTypesOf, hasEfa } from "../../nodes/parse/fields";
import { dataDevice, fastPullMibps, renderUserData } from "../../nodes/parse/os";
import type { KarpenterPoolSpec } from "../parse";

const families: Record<EksNodePoolOs, string> = {
  [EksNodePoolOs.Al2023]: "AL2023",
  [EksNodePoolOs.Bottlerocket]: "Bottlerocket",
};

/** The description of a node for EC2: the EC2NodeClass of Karpenter, or the NodeClass of EKS Auto Mode. */
export const buildNodeClass = (spec: KarpenterPoolSpec): KarpenterObject =>
  spec.autoMode ? buildAutoNodeClass(spec) : buildEc2NodeClass(spec);

function buildEc2NodeClass(spec: KarpenterPoolSpec): KarpenterObject {
  const { name, os } = spec;
  return {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name },
    spec: withoutEmpty<Record<string, unknown>>({
      ...placeOf(spec),
      amiFamily: families[os],
      amiSelectorTerms: spec.amiIds
        ? byId(spec.amiIds)
        : [{ alias: mapInput(spec.amiVersion, (version) => `${os}@${version}`) }],
      ...interfaces(spec),
      // Karpenter sets up the disks itself, and bases the storage of pods on them.
      instanceStorePolicy: spec.localDisks === NodePoolLocalDisks.Raid0 ? "RAID0" : undefined,
      userData: spec.userData ?? renderUserData({ ...spec, localDisks: undefined }),
      blockDeviceMappings: [{ deviceName: dataDevice[os], ebs: disk(spec), ...rootVolume[os] }],
      // Only processes on the node's own network may read the node's credentials, and only by IMDSv2.
      metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
      tags: spec.tags,
    }),
  };
}

const disk = ({ diskGib, diskType, fastImagePull }: KarpenterPoolSpec) => ({
  volumeSize: mapInput(diskGib, (gib) => `${gib}Gi`),
  volumeType: diskType,
  ...(fastImagePull && { throughput: fastPullMibps }),
  deleteOnTermination: true,
  encrypted: true,
});

// Karpenter derives the storage of pods from the disk of the images, which Bottlerocket separates from the disk of its
// system.
const rootVolume: Record<EksNodePoolOs, object> = {
  [EksNodePoolOs.Al2023]: {},
  [EksNodePoolOs.Bottlerocket]: { rootVolume: true },
};

/** The NodeClass of EKS Auto Mode (EKS, "Create a Node Class for Amazon EKS"). */
const buildAutoNodeClass = (spec: KarpenterPoolSpec): KarpenterObject => ({
  apiVersion: "eks.amazonaws.com/v1",
  kind: "NodeClass",
  metadata: { name: spec.name },
  spec: withoutEmpty<Record<string, unknown>>({
    ...placeOf(spec),
    ephemeralStorage: { size: mapInput(spec.diskGib, (gib) => `${gib}Gi`) },
    advancedNetworking: autoInterfaces(spec),
    tags: spec.tags,
  }),
});

const byId = (ids: pulumi.Input<pulumi.Input<string>[]>) => mapTexts(ids, (id) => ({ id }));

/** The fields that both kinds of node classes have. */
const placeOf = (spec: KarpenterPoolSpec) => ({
  role: spec.nodeRoleName,
  subnetSelectorTerms: byId(spec.subnetIds),
  securityGroupSelectorTerms: byId(spec.securityGroupIds),
  placementGroupSelector: withoutEmpty({ name: spec.placementGroupName }),
  capacityReservationSelectorTerms: reservations(spec),
});

/** The terms that select reservations; the parts of a term are ANDed. */
function reservations(spec: KarpenterPoolSpec): object[] {
  const { reservationId: id, reservationTags: tags, reservationMatchCriteria: instanceMatchCriteria } = spec;
  const term = withoutEmpty({ id, tags, instanceMatchCriteria });
  return Object.keys(term).length > 0 ? [term] : [];
}

/**
 * The interfaces of nodes of EKS Auto Mode, which adds none for pods if they are listed, and no address to the listed
 * ones: the primary interface has one prefix, of 16 addresses for pods.
 */
function autoInterfaces(spec: KarpenterPoolSpec) {
  const { networkInterfaces, ...others } = interfaces(spec);
  if (!networkInterfaces) return others;
  const [primary, ...rest] = networkInterfaces;
  return { networkInterfaces: [{ ...primary, secondaryIPv4PrefixCount: 1 }, ...rest] };
}

/**
 * The interfaces of the nodes. By default Karpenter adds them for pods that request EFA: one on each card, each also
 * for Ethernet. Karpenter launches the nodes of a fixed size without a pod, and such nodes have EFA only by
 * `networkInterfaces` (karpenter-provider-aws, `pkg/providers/amifamily/resolver.go`, where `efaCount` follows from the
 * requests).
 */
function interfaces(spec: KarpenterPoolSpec): { associatePublicIPAddress?: boolean; networkInterfaces?: object[] } {
  const { machine, efaLayout, sizing } = spec;
  if (!hasEfa(spec)) return {};
  const isOwn = !sizing.isFixed && (byClaim(spec.fabricBy) || isCombinedLayout(machine, efaLayout));
  const all = efaInterfaces(machine, efaLayout).map(({ interfaceType = "interface", ...each }) => ({
    ...each,
    interfaceType,
  }));
  return {
    ...(all.length > 1 && { associatePublicIPAddress: false }),
    ...(!isOwn && { networkInterfaces: all }),
  };
}

const capacityTypes: Record<EksNodePoolCapacityType, string> = {
  [EksNodePoolCapacityType.OnDemand]: "on-demand",
  [EksNodePoolCapacityType.Spot]: "spot",
  [EksNodePoolCapacityType.Reservation]: "reserved",
  [EksNodePoolCapacityType.CapacityBlock]: "reserved",
};

const nodeClasses = {
  karpenter: { group: "karpenter.k8s.aws", kind: "EC2NodeClass" },
  autoMode: { group: "eks.amazonaws.com", kind: "NodeClass" },
};

/**
 * Nodes of EKS Auto Mode live for 21 days at most, with the time for their termination (EKS, "EC2 managed instance
 * security").
 */
const autoLifetime = { expireAfter: "480h", terminationGracePeriod: "24h" };

/** The NodePool, with the node class of the same name. */
export function buildKarpenterPool(spec: KarpenterPoolSpec): KarpenterObject {
  const types = capacityTypesOf(spec);
  const nodeClass = spec.autoMode ? nodeClasses.autoMode : nodeClasses.karpenter;
  const hasBlock = types.includes(EksNodePoolCapacityType.CapacityBlock);
  return buildKarpenterNodePool({
    ...spec,
    nodeClass,
    requirements: {
      [typeLabel]: spec.machineTypes,
      "kubernetes.io/arch": [spec.machine.arch],
      "karpenter.sh/capacity-type": types.map((type) => capacityTypes[type]),
      [`${nodeClass.group}/capacity-reservation-type`]: hasBlock ? ["capacity-block"] : [],
      "topology.kubernetes.io/zone": spec.zones,
    },
    // EKS Auto Mode includes the DRA driver that the labels select.
    labels: { ...(!spec.autoMode && draLabels(spec)), ...spec.labels },
    ...(spec.autoMode && { lifetime: autoLifetime }),
  });
}

/** Label of a node with its instance type. */
export const typeLabel = "node.kubernetes.io/instance-type";
