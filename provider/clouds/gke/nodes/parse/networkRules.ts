import { usesGib } from "./gib";
import { forEachItem, type Rule } from "../../../../shared/rules";
import { hasDranet, hasSecondGvnic, machineTypeOf, rdmaOf } from "../../machines";
import { GkeNodePoolFabric } from "../args";
import { type GkePoolFields, gkeRule as rule, typeFields } from "./fields";

export const isRdma = ({ fabric }: Pick<GkePoolFields, "fabric">) => fabric === GkeNodePoolFabric.Rdma;

const tier1Rule = rule([...typeFields, "fabric"], (args, addIssue) => {
  if (args.fabric === GkeNodePoolFabric.Tier1 && machineTypeOf(args)?.tier1 === false)
    addIssue(["fabric"], `${args.machineType} has no Tier_1 bandwidth; choose a larger machine type, or remove fabric`);
});

const rdmaRule = rule([...typeFields, "fabric"], (args, addIssue) => {
  const type = machineTypeOf(args);
  if (isRdma(args) && type && !type.rdma)
    addIssue(["fabric"], `${args.machineType} has no RDMA; choose A3 Ultra, A4, A4X or H4D, or remove fabric`);
});

const needlessNetworkRules = (["fabricBy", "rdmaNetworks", "gvnicNetwork"] as const).map((key) =>
  rule(["fabric", key], (args, addIssue) => {
    if (!isRdma(args) && args[key] !== undefined) addIssue([key], `requires fabric "rdma"; set it, or remove ${key}`);
  }),
);

const rdmaNetworksRule = rule([...typeFields, "fabric", "fabricBy", "rdmaNetworks[]"], (args, addIssue) => {
  const rdma = rdmaOf(args);
  const count = args.rdmaNetworks?.length ?? 0;
  if (rdma && !hasDranet(args) && count !== rdma.nics)
    addIssue(
      ["rdmaNetworks"],
      `${args.machineType} has ${rdma.nics} RDMA interfaces, not ${count}; set one network for each`,
    );
});

const managedNetworksRules = (["rdmaNetworks", "gvnicNetwork"] as const).map((key) =>
  rule([...typeFields, "fabric", "fabricBy", key], (args, addIssue) => {
    if (hasDranet(args) && args[key] !== undefined)
      addIssue([key], `GKE creates the networks of ${args.machineType} itself (DRANET); remove ${key}`);
  }),
);

const gvnicRule = rule([...typeFields, "fabric", "fabricBy", "gvnicNetwork?"], (args, addIssue) => {
  const rdma = rdmaOf(args);
  if (!rdma || hasDranet(args)) return;
  if (hasSecondGvnic(rdma) && args.gvnicNetwork === undefined)
    addIssue(["gvnicNetwork"], `${args.machineType} requires the network of its second gVNIC; add it`);
  if (!hasSecondGvnic(rdma) && args.gvnicNetwork !== undefined)
    addIssue(["gvnicNetwork"], `${args.machineType} has no second gVNIC; remove gvnicNetwork`);
});

const networkNameRule = rule(["fabric", "rdmaNetworks[].name"], (args, addIssue) => {
  if (!isRdma(args)) return;
  const seen = new Set<string>();
  forEachItem(args.rdmaNetworks ?? [], ({ name }, index) => {
    const path = ["rdmaNetworks", index, "name"];
    if (name === "default") addIssue(path, '"default" is the network of the GKE cluster; use another name');
    if (seen.has(name)) addIssue(path, `duplicate name "${name}"; set a separate Network object for each interface`);
    seen.add(name);
  });
});

const gibRule = rule([...typeFields, "fabric", "gibInstaller"], (args, addIssue) => {
  const { gibInstaller, machineType } = args;
  const type = machineTypeOf(args);
  if (gibInstaller === undefined || !type || usesGib(type, args)) return;
  const reason =
    type.bareMetal && type.rdma ? `the image of the pods on ${machineType} contains gIB` : "requires RDMA between GPUs";
  addIssue(["gibInstaller"], `${reason}; remove gibInstaller`);
});

/** Rules on the fabric of the nodes and on its networks. */
export const networkRules: Rule<GkePoolFields>[] = [
  tier1Rule,
  rdmaRule,
  ...needlessNetworkRules,
  ...managedNetworksRules,
  rdmaNetworksRule,
  gvnicRule,
  networkNameRule,
  gibRule,
];
