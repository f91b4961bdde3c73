import * as pulumi from "@pulumi/pulumi";
import type { BurstPlan } from "../minicluster/args";
import { inputProblems, userError } from "../shared/errors";
import { root } from "./root";

/** A cluster to join, read from another stack, with the certificate as a secret. */
export interface BurstRootRead {
  /** The hosts of the instance. */
  plan: BurstPlan;
  /** IP address or host name at which the lead broker is reached. */
  address: string;
  /** TCP port there. */
  port: number;
  /** The curve certificate of the instance, a secret. */
  certificate: pulumi.Output<string>;
  /** TCP port there at which the lead broker's pod tells what the queue needs, if it does. */
  demandPort?: number;
}

/**
 * Reads the output `burst` of a MiniCluster from the stack that has exported it, for the argument `root` of a BurstCluster.
 * Fails where the stack has no such output, where that is none of a MiniCluster with `bursting`, and where another version
 * of this package has written it.
 * @param stack The other stack.
 * @param output Name under which the stack exports it. Default: "burst".
 */
export async function readBurstRoot(stack: pulumi.StackReference, output = "burst"): Promise<BurstRootRead> {
  const details: { value?: unknown; secretValue?: unknown } = await stack.getOutputDetails(output);
  const told = details.secretValue ?? details.value;
  const name = await plainName(stack);
  if (told === undefined || told === null)
    throw userError(
      `the stack ${name} has no output "${output}" of a MiniCluster with bursting; ` +
        `export the output burst of that one there, and run pulumi up`,
    );
  const parsed = root.safeParse(told, { jitless: true });
  if (parsed.error) {
    const lines = inputProblems(parsed.error).map(
      ({ propertyPath, reason }) => `  ${propertyPath || output}: ${reason}`,
    );
    throw userError(
      [`the output "${output}" of the stack ${name} is not what a MiniCluster with bursting gives:`, ...lines].join(
        "\n",
      ),
    );
  }
  const { plan, address, port, certificate, demandPort } = parsed.data;
  return {
    plan,
    address: address as string,
    port: port as number,
    certificate: pulumi.secret(certificate),
    ...(demandPort !== undefined && { demandPort: demandPort as number }),
  };
}

/** The name of a stack, which its reference keeps as an output. */
const plainName = (stack: pulumi.StackReference) =>
  new Promise<string>((resolve) => stack.name.apply((name) => resolve(name)));
