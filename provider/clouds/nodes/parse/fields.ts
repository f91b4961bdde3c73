import { z } from "zod";
import {
  choice,
  dnsLabel,
  flag,
  integer,
  labelValue,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  qualifiedName,
  text,
} from "../../../shared/checks";
import { forEachItem, ruleOn } from "../../../shared/rules";
import { MiniClusterArch, NodePoolLocalDisks } from "../args";
import { currency, price, taint } from "./pool";
import { poolLabel } from "./scheduling";
import { sizingFields, sizingRules } from "./sizing";

/** Fields of every pool on any cloud. */
export const commonFields = {
  ...sizingFields,
  name: dnsLabel,
  arch: choice(MiniClusterArch).optional(),
  labels: map(qualifiedName, leaf(labelValue)).default({}),
  taints: list(taint).default([]),
  tags: map(nonEmptyText, leaf(text)).default({}),
  threadsPerCore: integer(1, 2).optional(),
  staticCpu: flag.default(false),
  localDisks: choice(NodePoolLocalDisks).optional(),
};

/** Field of a price. The list price is looked up before the arguments are parsed, by a call that programs in TypeScript write. */
export const priceOrList = (lookup: string) =>
  object({
    perHour: price.optional(),
    currency: currency.optional(),
    source: nonEmptyText.optional(),
    list: flag.default(false),
  })
    .check(({ value, issues }) => {
      const { list, perHour } = value;
      if (list)
        issues.push({
          code: "custom",
          path: ["list"],
          message: `is for programs in other languages; in TypeScript set price: await ${lookup}`,
          input: list,
        });
      else if (perHour === undefined)
        issues.push({
          code: "custom",
          path: ["perHour"],
          message: "is required; add the price of a node",
          input: value,
        });
    })
    .optional();

type CommonFields = z.output<z.ZodObject<typeof commonFields>>;

const rule = ruleOn<CommonFields>();

const labelRule = rule(["labels[]"], ({ labels }, addIssue) => {
  if (poolLabel in labels) addIssue(["labels", poolLabel], "this package sets this label; remove it and set name");
});

const taintRule = rule(["taints[].key", "taints[].effect"], ({ taints }, addIssue) => {
  const seen = new Set<string>();
  forEachItem(taints, ({ key, effect }, index) => {
    const one = `${key}:${effect}`;
    if (seen.has(one)) addIssue(["taints", index], `duplicate taint ${one}; remove one of the two`);
    seen.add(one);
  });
});

/** Rules of every pool on any cloud. */
export const commonRules = [...sizingRules, labelRule, taintRule];

/** Field of a list of zones, whose number is checked. */
export const zonesOf = <T extends z.ZodType<string>>(zone: T) => list(leaf(zone)).default([]);

/** Field of a device plugin. */
export const devicePlugin = object({ skip: flag.optional(), image: leaf(nonEmptyText).optional() }).optional();
