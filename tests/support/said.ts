import type { MiniClusterArgs } from "../../provider";
import { messages } from "./clusters";
import type { OperationResult } from "./engine";
import { aContainer } from "./fixtures";

/** What an operation says, without the words of the Kubernetes provider. */
export const said = (result: OperationResult) =>
  ["info", "warning"]
    .flatMap((severity) => messages(result, severity))
    .filter(
      (text) =>
        !/^(\[\d\/|Preview creation failed|Retry #|Found \{|\{\$)|selected nothing|Waiting for|from \$PATH/.test(text),
    );

const resources = { requests: { cpu: "0.5", memory: "1024Mi" } };
const environment = { A: "1" };

/** Arguments of a cluster without a command. */
export const anInteractive = (args: Partial<MiniClusterArgs> = {}, container: Parameters<typeof aContainer>[0] = {}) =>
  ({
    size: 4,
    interactive: true,
    containers: [aContainer({ command: undefined, resources, environment, ...container })],
    ...args,
  }) as object;
