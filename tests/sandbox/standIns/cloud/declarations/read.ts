import { ShapeReader } from "./reader";
import { Sdk } from "./sdk";
import type { Declarations } from "./shapes";
import { placeOf } from "./tokens";

/** Reads what an installed SDK declares of some resources and functions. Takes a second. */
export function readDeclarations(sdkName: string, resources: string[], functions: string[]): Declarations {
  const sdk = new Sdk(sdkName);
  const reader = new ShapeReader(sdk);
  const resource = (token: string) => {
    const [file, name] = [sdk.fileOf(token), placeOf(token).name];
    return { inputs: reader.interface(file, `${name}Args`), outputs: reader.outputs(file, name) };
  };
  const functionOf = (token: string) => {
    const [file, name] = [sdk.fileOf(token), placeOf(token).name];
    const type = name.charAt(0).toUpperCase() + name.slice(1);
    return { args: reader.interface(file, `${type}Args`), result: reader.interface(file, `${type}Result`) };
  };
  return {
    version: sdk.version,
    resources: Object.fromEntries(resources.map((token) => [token, resource(token)])),
    functions: Object.fromEntries(functions.map((token) => [token, functionOf(token)])),
    objects: reader.objects,
  };
}
