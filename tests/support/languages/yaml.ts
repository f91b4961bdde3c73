import * as path from "node:path";
import { buildMissing, executable } from "../../sandbox/build/binaries";
import { yamlModule } from "../../sandbox/build/modules";
import type { LanguageHost } from "./harness";

/** Programs in YAML, which Pulumi's own language host runs. */
export const yaml: LanguageHost = {
  name: "yaml",
  driver: async () => {
    await buildMissing([yamlModule]);
    return {
      command: [process.execPath, path.join(__dirname, "yaml/driver.mjs")],
      environment: { MINICLUSTER_LANGUAGE_HOST: path.dirname(executable(yamlModule, "pulumi-language-yaml")) },
    };
  },
};
