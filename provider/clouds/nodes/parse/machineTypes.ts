import { forEachItem, type Rule, ruleOn } from "../../../shared/rules";
import { type MachineType, needlessHardware } from "../../machines";
import type { MiniClusterArch } from "../args";

/** Fields that determine the machine types of a pool that has several. */
export const machineFields = ["machineTypes[]", "hardware"] as const;

export interface Machines<Hardware> {
  machineTypes: (string | undefined)[];
  hardware?: Hardware | undefined;
}

export interface MachineTypesFields {
  machineTypes: string[];
  hardware?: MachineType;
  arch?: MiniClusterArch;
}

/** Machine types of a cloud, with its words for them. */
interface CloudMachines<Machine, Hardware> {
  /** Such as "instance type". */
  noun: string;
  machineOf: (type: string, hardware: Hardware | undefined) => Machine | undefined;
  isListed: (type: string) => boolean;
  /** Call that looks up a type that is not listed. */
  lookup: (type: string) => string;
  /** Properties that all types of a pool share, beside those of every cloud. */
  factsOf?: (machine: Machine) => Record<string, string>;
}

/** A machine type of a pool that is known. */
export interface KnownType<Machine> {
  type: string;
  index: number;
  machine: Machine;
}

const rule = ruleOn<MachineTypesFields>();

/** Properties that all types of a pool share, because all pods of a Job have one template. */
const sharedFacts = ({ arch, vcpus, threadsPerCore, accelerator }: MachineType, more: Record<string, string> = {}) =>
  Object.entries({
    architecture: arch,
    CPUs: `${vcpus}/${threadsPerCore}`,
    ...more,
    accelerators: `${accelerator?.count} ${accelerator?.model}`,
  });

/** The known machine types of a pool that has several, and the rules on them. */
export function onMachineTypes<Machine extends MachineType, Hardware extends MachineType>(
  cloud: CloudMachines<Machine, Hardware>,
) {
  const { noun, isListed } = cloud;
  const machineOf = (type: string, hardware?: MachineType) => cloud.machineOf(type, hardware as Hardware | undefined);

  /** Calls back for each machine type of a pool that is known. */
  function forEachType(
    { machineTypes, hardware }: Machines<MachineType>,
    callback: (found: KnownType<Machine>) => void,
  ) {
    forEachItem(machineTypes, (type, index) => {
      const machine = machineOf(type, hardware);
      if (machine) callback({ type, index, machine });
    });
  }

  const factsOf = (machine: Machine) => sharedFacts(machine, cloud.factsOf?.(machine));

  const describedTypeRule = rule(["hardware?", "machineTypes"], ({ hardware, machineTypes }, addIssue) => {
    if (hardware === undefined) return;
    const unlisted = machineTypes.filter((type) => !isListed(type));
    if (unlisted.length === 0) addIssue(["hardware"], needlessHardware(machineTypes.join(" and ")));
    if (unlisted.length > 1)
      addIssue(
        ["hardware"],
        `describes one ${noun}, and this package does not list ${unlisted.join(", ")}; use a pool for each`,
      );
  });

  const unknownTypeRule = rule(machineFields, ({ machineTypes, hardware }, addIssue) =>
    forEachItem(machineTypes, (type, index) => {
      if (!machineOf(type, hardware))
        addIssue(
          ["machineTypes", index],
          `unknown ${noun} "${type}"; correct it, or describe it as hardware: await ${cloud.lookup(type)}`,
        );
    }),
  );

  const archRule = rule([...machineFields, "arch"], (args, addIssue) =>
    forEachType(args, ({ type, machine: { arch } }) => {
      if (args.arch !== undefined && args.arch !== arch)
        addIssue(["arch"], `${type} is ${arch}, not ${args.arch}; correct or remove arch`);
    }),
  );

  const alikeRule = rule(machineFields, (args, addIssue) => {
    const [first] = args.machineTypes;
    const machine = first === undefined ? undefined : machineOf(first, args.hardware);
    if (!machine) return;
    const facts = factsOf(machine);
    forEachType(args, (other) => {
      const otherFacts = new Map(factsOf(other.machine));
      const different = facts.filter(([name, fact]) => otherFacts.get(name) !== fact).map(([name]) => name);
      if (different.length > 0)
        addIssue(
          ["machineTypes", other.index],
          `${other.type} and ${first} differ in ${different.join(", ")}; use a pool for each`,
        );
    });
  });

  const typeRules: Rule<MachineTypesFields>[] = [describedTypeRule, unknownTypeRule, archRule, alikeRule];
  return { forEachType, typeRules };
}
