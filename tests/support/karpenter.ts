import { parseAllDocuments } from "yaml";
import { karpenterDefinitions } from "../sandbox/build/binaries";
import type { Kube, NewObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";

/** Registers Karpenter's kinds in a cluster, and waits until it serves them. */
export async function installKarpenter(kube: Kube): Promise<void> {
  const documents = parseAllDocuments(await karpenterDefinitions()).map((each) => each.toJS() as NewObject | null);
  for (const definition of documents) if (definition) await kube.create(definition);
  for (const group of ["karpenter.sh", "karpenter.k8s.aws"])
    await waitFor(group, () => kube.request("GET", `/apis/${group}/v1`).then(() => true));
}
