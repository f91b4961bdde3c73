import { mock } from "node:test";
import type * as pulumi from "@pulumi/pulumi";

/** The value of an output, once there is one. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    (output as unknown as { promise(): Promise<T> }).promise().then(resolve, reject);
  });
}

/** Runs a body with the warnings that are logged meanwhile; they are not printed. */
export async function withWarnings<T>(body: (warnings: () => string[]) => Promise<T>): Promise<T> {
  const warned = mock.method(console, "warn", () => undefined);
  try {
    return await body(() => warned.mock.calls.map((call) => String((call.arguments as unknown[])[0])));
  } finally {
    warned.mock.restore();
  }
}
