import * as pulumi from "@pulumi/pulumi";
import { specOf } from "../core/parse/featureRules";
import type { Feature } from "../core/register/feature";
import { Tracker } from "./diagnostics/tracker";
import { forecast } from "./fields";
import { queueScripts } from "./flux/scripts";
import { planOf } from "./parse/plan";

const trackers = new WeakMap<pulumi.Resource, Tracker>();

/** Forecasts of the queue in previews. */
export const forecastFeature: Feature = {
  name: "forecast",
  fields: { forecast },
  // The program is in every cluster: if `forecast` changed the pods, its change would restart all brokers.
  buildSpec: ({ forecast: isOn }: { forecast?: boolean }, { role }) =>
    role === "lead" ? { spec: isOn, additions: { scripts: queueScripts } } : {},
  registerValues(_, spec, parent) {
    if (spec.role === "lead" && specOf<boolean>(spec, "forecast") === true)
      trackers.set(parent, new Tracker(parent, { component: parent, spec }, planOf(spec)));
    return {};
  },
  beforeResize: (spec, resize, component) => trackers.get(component)?.noteResize(spec, resize),
  build(spec) {
    if (spec.role !== "lead") return undefined;
    return {
      manifests: {},
      objects: [],
      registerLast: (_, { parent }, { waiting, programs }) => trackers.get(parent)?.finish([...waiting, ...programs]),
      outputs: (_, component) => ({
        ...(trackers.has(component) && { forecast: pulumi.output(trackers.get(component)!.forecast) }),
      }),
    };
  },
};
