import * as os from "node:os";
import * as path from "node:path";

/**
 * Directory of built binaries and of the state of a hand-started sandbox: outside the tree, shared by all checkouts.
 */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  if (env.MINICLUSTER_SANDBOX_CACHE) return path.resolve(env.MINICLUSTER_SANDBOX_CACHE);
  const userCache = env.XDG_CACHE_HOME ? path.resolve(env.XDG_CACHE_HOME) : path.join(os.homedir(), ".cache");
  return path.join(userCache, "minicluster-sandbox");
}
