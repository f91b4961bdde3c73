import { userError } from "./errors";

/**
 * The part of an npm package that `load` returns. If the package is missing, the error has the command that installs
 * it.
 */
export function fromOptionalPackage<T>(packageName: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A missing module of the package itself is a different error, whose message also contains the name of the package.
    if (code !== "MODULE_NOT_FOUND" || !message.includes(`'${packageName}/`)) throw error;
    throw userError(`the package ${packageName} is missing; run: npm install ${packageName}`);
  }
}
