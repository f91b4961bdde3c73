import { brokerPort, podSelector } from "../names";
import type { MiniClusterSpec } from "../spec";
import { metadata } from "./metadata";
import type { ServiceManifest } from "./types";

/** The headless service that gives every broker its host name. */
export function buildService(spec: MiniClusterSpec): ServiceManifest {
  return {
    metadata: metadata(spec, spec.network.headlessName),
    spec: {
      clusterIP: "None",
      selector: podSelector(spec),
      // A broker is Ready only when the instance stands, and the instance stands only when the brokers find each other.
      publishNotReadyAddresses: true,
      ports: [{ name: "broker", port: brokerPort, protocol: "TCP" }],
    },
  };
}
