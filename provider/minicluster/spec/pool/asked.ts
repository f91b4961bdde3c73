import { properties } from "../../../shared/checks";
import type { MiniClusterContainerArgs } from "../../args";
import { amount } from "./quantity";

type Container = Partial<MiniClusterContainerArgs>;

/** Resources by which Kubernetes counts GPUs and their like. */
export const isAccelerator = (resource: string) =>
  /^((nvidia|amd)\.com\/gpu|aws\.amazon\.com\/neuron\w*)$/.test(resource);

/** Devices that a node has so many of, and that one container has to itself. An RDMA device may be shared. */
export const isCountedDevice = (resource: string) => isAccelerator(resource) || resource === "vpc.amazonaws.com/efa";

/** The list by which Kubernetes finds room for what a container asks for: a limit counts where there is no request. */
export function askingList({ resources }: Container, resource: string): "limits" | "requests" {
  return properties(properties(resources).requests)[resource] === undefined ? "limits" : "requests";
}

/** What a container asks for of a resource, as far as it is known now. */
export function askedFor(container: Container, resource: string): number {
  return amount(properties(properties(container.resources)[askingList(container, resource)])[resource]) ?? 0;
}

/** What some containers of a pod ask for together. */
export const askedTogether = (containers: Container[], resource: string) =>
  containers.reduce((sum, container) => sum + askedFor(container, resource), 0);
