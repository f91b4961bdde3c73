import { properties } from "../../shared/checks";
import type { AddIssue } from "../../shared/rules";
import { GkeNodePoolFabric, type GkeNodePoolArgs, type GkeNodePoolRdmaNetworkArgs } from "./args";
import { hasSecondGvnic } from "./fabric";
import { bareMachine } from "./machine";

type Args = Partial<GkeNodePoolArgs>;

/** The rules on the network between the nodes. */
export function networkRules(args: Args, addIssue: AddIssue): void {
  const { fabric, machineType } = args;
  const machine = bareMachine(args);
  if (fabric === GkeNodePoolFabric.Tier1 && machine && !machine.tier1)
    addIssue(["fabric"], `${machineType} has no Tier_1 bandwidth; choose a larger machine type, or remove fabric`);
  if (fabric !== GkeNodePoolFabric.Rdma) return elsewhereRules(args, addIssue);
  if (machine && !machine.rdma)
    addIssue(["fabric"], `${machineType} has no RDMA; choose A3 Ultra, A4, A4X or H4D, or remove fabric`);
  interfaceRules(args, addIssue);
}

/** What only means something with RDMA. */
function elsewhereRules(args: Args, addIssue: AddIssue): void {
  for (const key of ["rdmaNetworks", "gvnicNetwork"] as const)
    if (args[key] !== undefined) addIssue([key], 'only means something beside fabric "rdma"; remove it');
}

/** One network for each interface. */
function interfaceRules(args: Args, addIssue: AddIssue): void {
  const { rdmaNetworks = [], gvnicNetwork, machineType } = args;
  const { rdma } = bareMachine(args) ?? {};
  if (!Array.isArray(rdmaNetworks)) return;
  if (rdma && rdmaNetworks.length !== rdma.nics)
    addIssue(
      ["rdmaNetworks"],
      `${machineType} has ${rdma.nics} interfaces for RDMA, and these are ${rdmaNetworks.length} networks; name one for each`,
    );
  if (rdma && hasSecondGvnic(rdma) && gvnicNetwork === undefined)
    addIssue(["gvnicNetwork"], `${machineType} has a second gVNIC before its interfaces for RDMA; name its network`);
  if (rdma && !hasSecondGvnic(rdma) && gvnicNetwork !== undefined)
    addIssue(["gvnicNetwork"], `${machineType} has one gVNIC, on the cluster's own network; remove it`);
  nameRules(rdmaNetworks, addIssue);
}

function nameRules(networks: GkeNodePoolRdmaNetworkArgs[], addIssue: AddIssue): void {
  const names = networks.map((each) => properties(each).name);
  names.forEach((name, index) => {
    const path = ["rdmaNetworks", index, "name"];
    if (name === "default") addIssue(path, '"default" is the network of the cluster itself; correct it');
    if (name !== undefined && names.indexOf(name) !== index)
      addIssue(path, `"${name}" stands twice, and every interface has a Network object of its own; correct it`);
  });
}
