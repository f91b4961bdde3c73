import { sourceText } from "../../../shared/sources";

/** The scripts of the pods, and the parts that they include: the same for every cluster. */
export const scripts = {
  "broker.sh": sourceText("core/flux/scripts/broker.sh"),
  "command.sh": sourceText("core/flux/scripts/command.sh"),
  "flux-connect.sh": sourceText("core/flux/scripts/flux-connect.sh"),
  "drain.sh": sourceText("core/flux/scripts/drain.sh"),
  "flux-view.sh": sourceText("core/flux/scripts/flux-view.sh"),
  "fluxion.sh": sourceText("core/flux/scripts/fluxion.sh"),
  "follower.sh": sourceText("core/flux/scripts/follower.sh"),
  "functions.sh": sourceText("core/flux/scripts/functions.sh"),
  "later-variables.sh": sourceText("core/flux/scripts/later-variables.sh"),
  "lead.sh": sourceText("core/flux/scripts/lead.sh"),
  "network.sh": sourceText("core/flux/scripts/network.sh"),
  "paths.sh": sourceText("core/flux/scripts/paths.sh"),
  "people.sh": sourceText("core/flux/scripts/people.sh"),
  "ready.sh": sourceText("core/flux/scripts/ready.sh"),
  "resources.sh": sourceText("core/flux/scripts/resources.sh"),
  "service.sh": sourceText("core/flux/scripts/service.sh"),
  "sidecar.sh": sourceText("core/flux/scripts/sidecar.sh"),
  "strict.sh": sourceText("core/flux/scripts/strict.sh"),
  "undrain.sh": sourceText("core/flux/scripts/undrain.sh"),
  "variables.sh": sourceText("core/flux/scripts/variables.sh"),
  "view.sh": sourceText("core/flux/scripts/view.sh"),
  "watch.sh": sourceText("core/flux/scripts/watch.sh"),
};
