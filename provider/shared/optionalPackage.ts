import { userError } from "./errors";

/** What `load` takes from an npm package that may be missing. A missing package is an error with the command that installs it. */
export function fromOptionalPackage<T>(packageName: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A module that the package itself lacks is another matter; the stack in its message also names the package.
    if (code !== "MODULE_NOT_FOUND" || !message.includes(`'${packageName}/`)) throw error;
    throw userError(`the package ${packageName} is missing; run: npm install ${packageName}`);
  }
}
