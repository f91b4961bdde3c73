import { textFile } from "../../../shared/textFile";

/** The scripts of the pods, which are the same for every cluster. */
export const scripts = {
  archive: textFile(__dirname, "archive.sh"),
  broker: textFile(__dirname, "broker.sh"),
  command: textFile(__dirname, "command.sh"),
  connect: textFile(__dirname, "flux-connect.sh"),
  drain: textFile(__dirname, "drain.sh"),
  environment: textFile(__dirname, "flux-view.sh"),
  fluxion: textFile(__dirname, "fluxion.sh"),
  follower: textFile(__dirname, "follower.sh"),
  functions: textFile(__dirname, "functions.sh"),
  laterVariables: textFile(__dirname, "later-variables.sh"),
  lead: textFile(__dirname, "lead.sh"),
  paths: textFile(__dirname, "paths.sh"),
  people: textFile(__dirname, "people.sh"),
  ready: textFile(__dirname, "ready.sh"),
  resources: textFile(__dirname, "resources.sh"),
  service: textFile(__dirname, "service.sh"),
  sidecar: textFile(__dirname, "sidecar.sh"),
  strict: textFile(__dirname, "strict.sh"),
  undrain: textFile(__dirname, "undrain.sh"),
  variables: textFile(__dirname, "variables.sh"),
  view: textFile(__dirname, "view.sh"),
  watch: textFile(__dirname, "watch.sh"),
};
