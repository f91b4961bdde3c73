import { userError } from "../shared/errors";

/**
 * Loads a cloud's SDK, which happens when a pool is made there and in no other program. The SDKs are optional peer
 * dependencies: they may be missing.
 */
export function withCloudSdk<T>(packageName: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A module that the SDK itself lacks is another matter; the stack in its message names the SDK, too.
    if (code !== "MODULE_NOT_FOUND" || !message.includes(`'${packageName}/`)) throw error;
    throw userError(`the package ${packageName} is missing; run: npm install ${packageName}`);
  }
}
