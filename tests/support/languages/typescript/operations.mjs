// What the drivers of programs in TypeScript and in YAML have in common.

/**
 * Performs operations of the automation API on a stack, each after its program has been chosen, and writes a line with
 * the outcome of each.
 */
export async function performAll(stack, operations, choose) {
  for (const operation of operations) {
    choose(operation.program);
    process.stdout.write(`${JSON.stringify(await perform(stack, operation))}\n`);
  }
}

async function perform(stack, { kind, config = {} }) {
  try {
    for (const [key, value] of Object.entries(config)) await stack.setConfig(key, { value });
    const { stdout } = await stack[kind]({ diff: true, color: "never" });
    const outputs = kind === "up" ? Object.entries(await stack.outputs()) : [];
    return {
      kind,
      ok: true,
      text: stdout,
      outputs: Object.fromEntries(outputs.map(([name, { value }]) => [name, value])),
    };
  } catch (error) {
    return { kind, ok: false, text: error.commandResult?.stdout ?? "", error: String(error.message), outputs: {} };
  }
}
