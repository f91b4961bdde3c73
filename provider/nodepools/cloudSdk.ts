import { userError } from "../shared/errors";

/**
 * What a load of a cloud's SDK gives, which happens when a pool is made there and in no program that has none. The SDKs are
 * optional dependencies: they may have been left out.
 */
export function withCloudSdk<T>(packageName: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "MODULE_NOT_FOUND" || !message.includes(packageName)) throw error;
    throw userError(`node pools of this cloud need the package ${packageName}; add it: npm install ${packageName}`);
  }
}
