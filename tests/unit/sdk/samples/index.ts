import { clusterSamples, podSamples } from "./cluster";
import { containerSamples, serviceSamples } from "./containers";
import { fluxSamples } from "./flux";
import type { Sample } from "./sample";

export type { Sample } from "./sample";

const under = (place: string, samples: Record<string, Sample>) =>
  Object.fromEntries(Object.entries(samples).map(([name, sample]) => [`${place}.${name}`, sample]));

/** A sample of every field of the operator's, by its path. */
export const samples: Record<string, Sample> = {
  ...clusterSamples,
  ...under("spec.containers[]", containerSamples),
  ...under("spec.services[]", serviceSamples),
  ...under("spec.flux", fluxSamples),
  ...under("spec.pod", podSamples),
};
