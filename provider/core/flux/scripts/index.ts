import { textFile } from "../../../shared/textFile";

/** The scripts of the pods, and the parts that they include: the same for every cluster. */
export const scripts = {
  "broker.sh": textFile(__dirname, "broker.sh"),
  "command.sh": textFile(__dirname, "command.sh"),
  "flux-connect.sh": textFile(__dirname, "flux-connect.sh"),
  "drain.sh": textFile(__dirname, "drain.sh"),
  "flux-view.sh": textFile(__dirname, "flux-view.sh"),
  "fluxion.sh": textFile(__dirname, "fluxion.sh"),
  "follower.sh": textFile(__dirname, "follower.sh"),
  "functions.sh": textFile(__dirname, "functions.sh"),
  "later-variables.sh": textFile(__dirname, "later-variables.sh"),
  "lead.sh": textFile(__dirname, "lead.sh"),
  "network.sh": textFile(__dirname, "network.sh"),
  "paths.sh": textFile(__dirname, "paths.sh"),
  "people.sh": textFile(__dirname, "people.sh"),
  "ready.sh": textFile(__dirname, "ready.sh"),
  "resources.sh": textFile(__dirname, "resources.sh"),
  "service.sh": textFile(__dirname, "service.sh"),
  "sidecar.sh": textFile(__dirname, "sidecar.sh"),
  "strict.sh": textFile(__dirname, "strict.sh"),
  "undrain.sh": textFile(__dirname, "undrain.sh"),
  "variables.sh": textFile(__dirname, "variables.sh"),
  "view.sh": textFile(__dirname, "view.sh"),
  "watch.sh": textFile(__dirname, "watch.sh"),
};
