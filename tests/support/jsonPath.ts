import { buildMissing, executable } from "../sandbox/build/binaries";
import { jsonPathModule } from "../sandbox/build/modules";

/** Builds the JSONPath parser of the real plugin, once, and sets its path for the code of the stand-in. */
export async function prepareJsonPath(): Promise<void> {
  await buildMissing([jsonPathModule]);
  process.env.MINICLUSTER_JSONPATH = executable(jsonPathModule, "jsonpath");
}
