const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

/** Amount of a Kubernetes quantity such as "500m" or "8Gi", if it is one and known now. */
export function amount(quantity: unknown): number | undefined {
  const parts =
    typeof quantity === "string" ? /^\+?(\d+\.?\d*|\.\d+)([A-Za-z]{0,2})([-+]?\d+)?$/.exec(quantity) : undefined;
  if (!parts) return undefined;
  const [, digits = "", suffix = "", exponent] = parts;
  if (exponent !== undefined) return /^[eE]$/.test(suffix) ? Number(`${digits}e${exponent}`) : undefined;
  if (binary.includes(suffix)) return Number(digits) * 1024 ** (binary.indexOf(suffix) + 1);
  const power = decimal.indexOf(suffix) - decimal.indexOf("");
  // Read as one decimal number: to multiply would leave a rest, such as 1000.9999999999999 of "1.001k".
  return decimal.includes(suffix) ? Number(`${digits}e${3 * power}`) : undefined;
}

const isNeuron = (resource: string) => /^aws\.amazon\.com\/neuron\w*$/.test(resource);

/** True for a resource by which Kubernetes counts GPUs and their like. */
export const isAccelerator = (resource: string) => /^(nvidia|amd)\.com\/gpu$/.test(resource) || isNeuron(resource);

/** True for a device of which a node has a number, and which one container has to itself. An RDMA device may be shared. */
export const isCountedDevice = (resource: string) => isAccelerator(resource) || resource === "vpc.amazonaws.com/efa";

/** True for two resources that count the same hardware: AWS's plugin offers it by device and by core. */
export const isSameHardware = (one: string, other: string) => one === other || (isNeuron(one) && isNeuron(other));

/** True for a resource that comes in whole numbers alone: any that Kubernetes has not defined itself. */
const isExtended = (resource: string) => resource.includes("/") && !resource.includes("kubernetes.io/");

/** Message for a fraction of such a resource. */
export const wholeNumber = "is no whole number, and nothing can have a part of a device; make it an integer";

/** True for a fraction of a resource that comes in whole numbers alone. */
export function isFraction(resource: string, quantity: unknown): boolean {
  const count = isExtended(resource) ? amount(quantity) : undefined;
  return count !== undefined && !Number.isInteger(count);
}
