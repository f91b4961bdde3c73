import { onMachineTypes } from "../../../nodes/parse/machineTypes";
import { eksMachineType, isListed } from "../../machines";

export { machineFields } from "../../../nodes/parse/machineTypes";

export const { forEachType, typeRules } = onMachineTypes({
  noun: "instance type",
  machineOf: eksMachineType,
  isListed,
  lookup: (type) => `lookupEksMachine("${type}")`,
  factsOf: ({ efaInterfaces, networkCards }) => ({ EFA: `${efaInterfaces}/${networkCards}` }),
});
