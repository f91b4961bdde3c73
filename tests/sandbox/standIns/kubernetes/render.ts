import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Obj } from "../rpc/values";
import { apiVersionOf, kindOf, nameOf, namespaceOf } from "./objects";

/** The file of an object in a rendered directory. A Patch resource has the file of the object that it patches. */
export function renderPath(object: Obj, directory: string): string {
  const folder = kindOf(object) === "CustomResourceDefinition" ? "0-crd" : "1-manifest";
  const version = apiVersionOf(object).replaceAll(/[/:]/g, "_");
  const namespace = namespaceOf(object) || "default";
  return join(directory, folder, `${version}-${kindOf(object).toLowerCase()}-${namespace}-${nameOf(object)}.yaml`);
}

/** Writes an object as YAML. */
export function renderObject(object: Obj, directory: string): void {
  for (const folder of ["0-crd", "1-manifest"]) mkdirSync(join(directory, folder), { recursive: true, mode: 0o700 });
  // kubectl reads YAML 1.1, where a bare "yes" is no string.
  const text = stringify(object, { version: "1.1", sortMapEntries: true, indentSeq: false, lineWidth: 0 });
  const path = renderPath(object, directory);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}

/** Removes the file of an object; that it is gone already is fine. */
export function removeRendered(object: Obj, directory: string): void {
  rmSync(renderPath(object, directory), { force: true });
}
