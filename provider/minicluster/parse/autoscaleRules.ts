import { type Rule, where } from "../../shared/rules";
import { MiniClusterResize } from "../args";
import { launchMode, runsFlux } from "./container";
import type { BrokerPodsFields, MiniClusterFields } from "./fields";

/** The fields of a cluster whose size may follow the queue, whether it has the lead broker or joins one. */
interface FollowFields extends Pick<BrokerPodsFields, "resize"> {
  size?: number;
  autoscale?: { min: number; max?: number };
}

/** The rules on every cluster whose size follows the queue. */
export const followRules: Rule<FollowFields>[] = where(
  ({ autoscale }) => autoscale,
  ({ min, max }, addIssue) => {
    if (max !== undefined && min > max)
      addIssue(["autoscale", "min"], `min ${min} is above max ${max}; lower min or raise max`);
  },
  (_, addIssue, { size }) => {
    if (size !== undefined) addIssue(["size"], "is set by autoscale, between its min and max; remove one of them");
  },
  (_, addIssue, { resize }) => {
    if (resize === MiniClusterResize.Manifest)
      addIssue(
        ["resize"],
        'the agent resizes the live Job, which a manifest would undo; use "patch" or remove autoscale',
      );
  },
);

/** The rules on a cluster with the lead broker whose size follows its queue. */
export const autoscaleRules: Rule<MiniClusterFields>[] = where(
  ({ autoscale }) => autoscale,
  ({ max }, addIssue, { maxSize }) => {
    if (maxSize !== undefined && max > maxSize)
      addIssue(["autoscale", "max"], `max ${max} is above maxSize ${maxSize}; raise maxSize or lower max`);
  },
  (_, addIssue, { minSize }) => {
    if (minSize !== undefined) addIssue(["minSize"], "is autoscale.min, which is the quorum; remove it");
  },
  (_, addIssue, { interactive, containers }) => {
    const isWide = containers
      .filter((container) => runsFlux(container, containers))
      .some((container) => ["submit", "batch"].includes(launchMode(interactive, container)));
    if (isWide)
      addIssue(
        ["autoscale"],
        "the submitted command asks once for the hosts that are there when it starts; set launcher: true on its container, " +
          "interactive: true, or size",
      );
  },
  (_, addIssue, { flux }) => {
    if (flux.bursting !== undefined)
      addIssue(["autoscale"], "the operator's form of bursting does not tell whose hosts are whose; use bursting");
  },
  (_, addIssue, { flux }) => {
    if (flux.minimalService)
      addIssue(
        ["flux", "minimalService"],
        "leads to the brokers' port alone, and autoscale asks another one; remove it",
      );
  },
);
