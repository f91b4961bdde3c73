import { properties } from "../../../shared/checks";
import type { MiniClusterContainerArgs } from "../../args";
import { amount } from "./quantity";

type Container = Pick<Partial<MiniClusterContainerArgs>, "resources">;

const isNeuron = (resource: string) => /^aws\.amazon\.com\/neuron\w*$/.test(resource);

/** Resources by which Kubernetes counts GPUs and their like. */
export const isAccelerator = (resource: string) => /^(nvidia|amd)\.com\/gpu$/.test(resource) || isNeuron(resource);

/** Devices that a node has so many of, and that one container has to itself. An RDMA device may be shared. */
export const isCountedDevice = (resource: string) => isAccelerator(resource) || resource === "vpc.amazonaws.com/efa";

/** Whether two resources count the same hardware: AWS's plugin offers it by device and by core. */
export const isSameHardware = (one: string, other: string) => one === other || (isNeuron(one) && isNeuron(other));

/** Resources that come in whole numbers alone: all that Kubernetes has not defined itself. */
export const isExtended = (resource: string) => resource.includes("/") && !resource.includes("kubernetes.io/");

/** What to say of a part of such a thing. */
export const wholeNumber = "is no whole number, and nothing can have a part of a device; make it an integer";

/** Whether an amount is not a whole number of something that there is no half of. */
export function isFraction(resource: string, quantity: unknown): boolean {
  const count = isExtended(resource) ? amount(quantity) : undefined;
  return count !== undefined && !Number.isInteger(count);
}

/** The list by which Kubernetes finds room for what a container asks for: a limit counts where there is no request. */
export function requestingList({ resources }: Container, resource: string): "limits" | "requests" {
  return properties(properties(resources).requests)[resource] === undefined ? "limits" : "requests";
}

/** What a container asks for of a resource, as far as it is known now. */
export function requested(container: Container, resource: string): number {
  return amount(properties(properties(container.resources)[requestingList(container, resource)])[resource]) ?? 0;
}

/** What some containers of a pod ask for together. */
export const totalRequested = (containers: Container[], resource: string) =>
  containers.reduce((sum, container) => sum + requested(container, resource), 0);
