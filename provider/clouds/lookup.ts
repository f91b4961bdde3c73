import * as pulumi from "@pulumi/pulumi";
import { thrownText } from "../shared/errors";

/**
 * The response of a cloud to the lookup of a machine type. Without a response, for example without credentials, a
 * warning has the command to log in, and the result is undefined: the pool then requires `hardware`.
 */
export async function answered<T>(
  { machine, cloud, login }: { machine: string; cloud: string; login: string },
  answer: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await answer();
  } catch (error) {
    void pulumi.log.warn(
      `${machine} was not looked up in ${cloud} (${thrownText(error)}); log in (${login}), or describe it as hardware`,
    );
    return undefined;
  }
}
