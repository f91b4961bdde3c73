import type { Feature } from "../core/register/feature";
import { forecast } from "./fields";
import { queueScripts } from "./flux/scripts";

/** The forecast of the queue in a preview, which reads the queue in the pod of the lead broker. */
export const forecastFeature: Feature = {
  name: "forecast",
  fields: { forecast },
  buildSpec: ({ forecast: isOn }: { forecast?: boolean }, { role }) =>
    isOn && role === "lead" ? { spec: true, additions: { scripts: queueScripts } } : {},
};
