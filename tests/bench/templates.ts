import { createHash } from "node:crypto";
import { hashAnnotation, sizeKey } from "../../provider/minicluster/names";
import { manifestsOf } from "../support/manifests";
import type { Table } from "./table";

const maxSize = 5000;

/** How many pod templates and configurations the sizes of one cluster make: one, or a resize would be a replacement. */
export function countTemplates(): Table {
  const seen = Array.from({ length: maxSize }, (_, i) => fingerprints(i + 1));
  const names = Object.keys(fingerprints(1));
  const rows = names.map((name): [string, number] => [name, new Set(seen.map((one) => one[name])).size]);
  const several = rows.find(([, distinct]) => distinct !== 1);
  if (several) throw new Error(`sizes 1 to ${maxSize} make ${several[1]} different values of: ${several[0]}`);
  return {
    title: `Distinct values over all sizes from 1 to ${maxSize}, at maxSize ${maxSize}`,
    columns: ["of", "distinct"],
    rows,
  };
}

function fingerprints(size: number): Record<string, string> {
  const { job, jobScale, configMap, configScale } = manifestsOf({ size, maxSize });
  const files = Object.entries(configMap.data).filter(([name]) => name !== sizeKey);
  return {
    // Beside the component's own hash, one that leaves nothing of the template out.
    "template hash (annotation)": jobScale.metadata.annotations[hashAnnotation],
    "pod template (SHA-256 of its JSON)": sha256(job.spec.template),
    "configuration hash (annotation)": configScale.metadata.annotations[hashAnnotation],
    "scripts and broker configuration (SHA-256)": sha256(files),
  };
}

const sha256 = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
