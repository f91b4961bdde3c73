import * as pulumi from "@pulumi/pulumi";
import { objects } from "../core/objects/identities";
import type { Feature } from "../core/register/feature";
import { kubectlOf } from "../diagnostics/kubectl";
import { consoleFields, type ConsoleSpec } from "./fields";
import { consoleUsersFile } from "./names";
import { buildConsole, consoleCommand, consoleProgram, consoleSettings } from "./objects";
import { type ConsoleAccounts, registerAccounts, registerConsole } from "./register";
import { consoleRules } from "./rules";
import { consoleOf } from "./spec";

/** Web page and REST API for the users of the instance. */
export const consoleFeature: Feature = {
  name: "console",
  fields: { console: consoleFields.optional() },
  rules: consoleRules,
  buildSpec: ({ console: spec }: { console?: ConsoleSpec }, { role }) => (role === "lead" ? { spec } : {}),
  registerValues(name, spec, parent) {
    const console = consoleOf(spec);
    if (!console) return {};
    const accounts = registerAccounts(name, console, parent);
    return { secretData: { [consoleUsersFile]: accounts.data }, features: { console: accounts } };
  },
  build(spec, late) {
    const console = consoleOf(spec);
    if (!console) return undefined;
    const manifests = buildConsole(spec, console);
    return {
      manifests: { console: manifests },
      objects: [...objects("Service", manifests.service), ...objects("NetworkPolicy", manifests.networkPolicy)],
      programs: [{ program: consoleProgram, settings: consoleSettings(spec, console) }],
      registerFirst: ({ name }, options) => {
        registerConsole(name, manifests, options);
        return [];
      },
      outputs: (_, component) => ({
        consoleCommand: pulumi
          .output(kubectlOf(component))
          .apply((kubectl) => consoleCommand(spec, console.port, kubectl)),
        consoleTokens: (late.features?.["console"] as ConsoleAccounts).tokens,
      }),
    };
  },
};
