import { properties } from "../shared/checks";
import type { AddIssue } from "../shared/rules";
import type { NodePoolHardwareArgs } from "./args";

/** What is said of `hardware` for a machine of which the package knows everything already. */
export const needlessHardware = (type: string) =>
  `only means something beside a type that this package does not know, and it knows ${type}; remove it`;

/** The rule on what the user says of a machine's processors: cores are whole. */
export function wholeCoresRule(hardware: NodePoolHardwareArgs | undefined, addIssue: AddIssue): void {
  const { vcpus = 1, threadsPerCore = 1 } = properties(hardware);
  if (threadsPerCore === 2 && vcpus % 2 === 1)
    addIssue(["hardware", "vcpus"], `${vcpus} do not make whole cores of 2 threads; correct vcpus or threadsPerCore`);
}
