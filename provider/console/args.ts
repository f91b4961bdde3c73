import type * as pulumi from "@pulumi/pulumi";

/**
 * Console of a Flux instance for its users: a live web page and a REST API, from the lead broker's pod. Each user is in one of
 * the lists and has a token. All users can see all jobs, which run as the Unix user of the instance.
 */
export interface MiniClusterConsoleArgs {
  /** Users who can submit jobs, and cancel their own jobs. Up to 64 letters, digits, -, _, . and @ each. Default: none. */
  users?: string[];
  /** Users with read-only access. Default: none. */
  viewers?: string[];
  /** Users who can also cancel all jobs, drain hosts and stop the instance. Default: none. */
  admins?: string[];
  /**
   * Tokens of users, by name, of at least 8 characters. Kept as a secret. Default: a token for each user from a random key, in the
   * output `consoleTokens`.
   */
  tokens?: Record<string, pulumi.Input<string>>;
  /**
   * Shared key for clients that log in with a signed message, as `flux-restful-client` does (`FLUX_SECRET_KEY`). Kept as a
   * secret. Default: none; clients use the token as the bearer token.
   */
  secretKey?: pulumi.Input<string>;
  /**
   * TCP port of the lead broker's pod and of the Service. From 1024 to 65535, except 8050 and 8060, which the brokers and
   * agents use, the port of `metrics`, and the ports of `containers`. Default: 8062.
   */
  port?: number;
  /**
   * Namespace of the clients, such as the namespace of an ingress controller. With `network.policy` "pods", only pods of this
   * namespace can connect to the port. Default: every namespace of the Kubernetes cluster.
   */
  fromNamespace?: pulumi.Input<string>;
  /**
   * Absolute path of a file in the container that runs Flux, such as one on a volume. A copy of the page is written to it every
   * half minute and at the end of the instance. It opens without a server, and has as many of the newest jobs as fit into 1.5
   * MB. Default: no copy.
   */
  keep?: string;
}

/** Argument of a cluster with a console. */
export interface ConsoleArgs {
  /**
   * Live web page and REST API of the Flux instance for users with tokens: jobs, their output, hosts, and events, from the lead
   * broker's pod. It can be added and removed while the brokers run, and its users can be changed without a restart. Requires a
   * version of Flux with the job manager's journal in Python (0.68). Not supported if the lead broker runs in another cluster.
   * Default: none.
   */
  console?: MiniClusterConsoleArgs;
}
