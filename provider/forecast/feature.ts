import * as pulumi from "@pulumi/pulumi";
import type { LeadSpec, MiniClusterSpec } from "../core/parse/spec";
import type { Feature } from "../core/register/feature";
import { oncePerRun } from "../diagnostics/oncePerRun";
import type { Owned } from "./diagnostics/forecast";
import { Tracker } from "./diagnostics/tracker";
import { forecast } from "./fields";
import { queueScripts } from "./flux/scripts";
import { planOf, withJoined } from "./parse/plan";
import { hasForecast } from "./spec";

const trackers = new WeakMap<pulumi.Resource, Tracker>();

/** The clusters of this program with a lead broker and a forecast, by the hosts of their instances. */
const homes = oncePerRun(() => new Map<string, Owned<LeadSpec> | undefined>());

const hostsOf = ({ instance }: MiniClusterSpec) =>
  JSON.stringify(instance.clusters.map(({ name, hosts }) => [name, hosts]));

/** Forecasts of the queue in previews. */
export const forecastFeature: Feature = {
  name: "forecast",
  fields: { forecast },
  // The program is in every cluster: if `forecast` changed the pods, its change would restart all brokers.
  buildSpec: ({ forecast: isOn }: { forecast?: boolean }, { role }) =>
    role === "lead" ? { spec: isOn, additions: { scripts: queueScripts } } : {},
  beforeResize: (spec, resize, component) => trackers.get(component)?.noteResize(spec, resize),
  build: (spec) => ({
    manifests: {},
    objects: [],
    registerLast(_, { parent: component }, { waiting, programs }) {
      const tracker = trackerOf({ component, spec });
      if (!tracker) return undefined;
      trackers.set(component, tracker);
      return tracker.finish([...waiting, ...programs]);
    },
    outputs: (_, component) => ({
      forecast: pulumi.output(trackers.get(component)?.forecast ?? { status: "disabled" }),
    }),
  }),
};

/** The tracker of a cluster with a lead broker, or of one that joins the instance of a cluster of the same program. */
function trackerOf({ component, spec }: Owned): Tracker | undefined {
  const hosts = hostsOf(spec);
  if (spec.role === "follower") {
    const home = homes().get(hosts);
    return home && new Tracker({ component, spec }, home, withJoined(planOf(home.spec), spec));
  }
  if (!hasForecast(spec)) return undefined;
  const home = { component, spec };
  // Of two clusters with the same hosts, it is not known which one another cluster joins.
  homes().set(hosts, homes().has(hosts) ? undefined : home);
  return new Tracker(home, home, planOf(spec));
}
