import { type Rule, ruleOn } from "../../../../shared/rules";
import { EksNodePoolOs } from "../args";
import { type EksPoolFields, hasEfa } from "./fields";
import { forEachType, machineFields } from "./machineTypes";
import { osOf } from "./os";

const rule = ruleOn<EksPoolFields>();

const fabricRule = rule(["lustreEfaClient", "fabric"], (args, addIssue) => {
  if (args.lustreEfaClient && !hasEfa(args))
    addIssue(["lustreEfaClient"], 'requires fabric "efa"; set it, or remove lustreEfaClient');
});

const osRule = rule([...machineFields, "lustreEfaClient", "os", "fabric"], (args, addIssue) => {
  if (!args.lustreEfaClient || !hasEfa(args)) return;
  let isBottlerocket = false;
  forEachType(args, ({ machine }) => {
    isBottlerocket ||= osOf(args, machine) === EksNodePoolOs.Bottlerocket;
  });
  if (isBottlerocket)
    addIssue(
      ["lustreEfaClient"],
      'Bottlerocket runs no script that configures LNet; set os to "al2023", or remove lustreEfaClient',
    );
});

/** Families of Nitro v3 with EFA (EC2, "Elastic Fabric Adapter", supported instance types). */
const nitro3 = "c5n m5dn m5n m5zn r5dn r5n x2iezn i3en dl1 dl2q g4dn g5 inf1 p3dn p4d p4de vt1".split(" ");

/** FSx requires Nitro v4 or later, and excludes trn2 (FSx for Lustre, "Configuring EFA clients"). */
const unsupported = [...nitro3, "trn2", "trn2u"];

const typeRule = rule([...machineFields, "lustreEfaClient"], (args, addIssue) => {
  if (!args.lustreEfaClient) return;
  forEachType(args, ({ type, index }) => {
    if (unsupported.includes(type.split(".", 1)[0] ?? ""))
      addIssue(
        ["machineTypes", index],
        `FSx for Lustre has no EFA to ${type}, but to types of Nitro v4 or later without trn2; choose another type, or remove lustreEfaClient`,
      );
  });
});

/** Rules on nodes that use EFA to FSx for Lustre. */
export const lustreRules: Rule<EksPoolFields>[] = [fabricRule, osRule, typeRule];
