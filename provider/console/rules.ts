import { MiniClusterNetworkPolicy } from "../core/args";
import { derivedServiceProblems, serviceNameFields } from "../core/parse/clusterRules";
import type { BrokerPodsFields } from "../core/parse/fields";
import { ownPortRule } from "../core/parse/portRules";
import type { MetricsSpec } from "../metrics/fields";
import { type Rule, ruleOn } from "../shared/rules";
import { consoleLists, type ConsoleSpec, consoleUsers } from "./fields";
import { consoleName } from "./names";

interface ConsoleFields extends BrokerPodsFields {
  console?: ConsoleSpec;
  metrics?: MetricsSpec;
}

const rule = ruleOn<ConsoleFields>();

/** Message for a console of a cluster whose lead broker runs elsewhere. */
export const consoleOfLead = "is set for the whole instance, in the cluster with the lead broker; set it there";

/** The rules on the console: its port, and its users, each of whom is in one list. */
export const consoleRules: Rule<ConsoleFields>[] = [
  rule(["console.port", "metrics.port"], ({ console, metrics }, addIssue) => {
    ownPortRule("console", console?.port, addIssue);
    if (console && console.port === metrics?.port)
      addIssue(["console", "port"], `${console.port} is the port of metrics; choose another port`);
  }),
  rule(["console?", ...serviceNameFields], ({ console, ...fields }, addIssue) => {
    const own = consoleName(fields);
    if (console)
      for (const problem of derivedServiceProblems(own, fields))
        addIssue(["console"], `needs the Service ${own}, ${problem}`);
  }),
  rule(["console.users", "console.viewers", "console.admins"], ({ console }, addIssue) => {
    if (!console) return;
    const taken = new Map<string, string>();
    for (const key of consoleLists)
      for (const [index, name] of console[key].entries()) {
        const holder = taken.get(name);
        if (holder !== undefined) addIssue(["console", key, index], `${name} is also in ${holder}; remove one of them`);
        taken.set(name, `console.${key}`);
      }
    if (taken.size === 0) addIssue(["console"], "requires a user: add a name to users, viewers or admins");
  }),
  rule(["console.users", "console.viewers", "console.admins", "console.tokens"], ({ console }, addIssue) => {
    const users = console && consoleUsers(console);
    for (const name of Object.keys(console?.tokens ?? {}))
      if (!users?.has(name))
        addIssue(["console", "tokens", name], "is not a user of the console; add it to users, viewers or admins");
  }),
  rule(["console?", "flux.bursting.leadBroker?"], ({ console, flux }, addIssue) => {
    if (console && flux.bursting?.leadBroker !== undefined) addIssue(["console"], consoleOfLead);
  }),
  rule(["console.fromNamespace", "network.policy"], ({ console, network }, addIssue) => {
    if (console?.fromNamespace !== undefined && network.policy !== MiniClusterNetworkPolicy.Pods)
      addIssue(
        ["console", "fromNamespace"],
        'requires network.policy "pods", without which every pod can connect; add it',
      );
  }),
];
