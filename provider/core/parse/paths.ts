/** Mount path of the ConfigMap with the scripts and the broker configuration. */
export const configDirectory = "/etc/minicluster/config";

/** Mount path of the Secret with the curve certificate, in the container that runs Flux only. */
export const curveDirectory = "/etc/minicluster/curve";

/** File of the certificate, in the Secret and in each copy. */
export const curveFile = "curve.cert";

/** Mount path of the volume with the copy of the certificate that Flux reads, in the container that runs Flux only. */
export const certificateDirectory = "/etc/minicluster/certificate";

/** The copy of the certificate that Flux reads. */
export const certificateFile = `${certificateDirectory}/${curveFile}`;

/** Mount path of the image of the Flux view, if it is mounted as a volume. */
export const imageDirectory = "/etc/minicluster/view";

/** Mount path of the programs that run beside Flux, in the lead broker's pod and in the agent's. */
export const programsDirectory = "/etc/minicluster/programs";

/** Mount path of the volume with the state of the instance, in the container that runs Flux only. */
export const stateDirectory = "/etc/minicluster/state";

/** Path at which munge looks for its key. */
export const mungeKeyPath = "/etc/munge/munge.key";

/** Key of the Secret that holds the munge key. */
export const mungeKeyFile = "munge.key";

/** Directory of the shared volume, as in the Flux Operator. */
export const defaultMountPath = "/mnt/flux";

/** Name of the container that copies the view, as in the Flux Operator. */
export const defaultViewName = "flux-view";

/** Directory in which the Flux view expects its software. */
export const softwareDirectory = "/opt/software";

/** Directories that the component mounts itself, in every container. */
export const reservedDirectories = ["/etc/minicluster", softwareDirectory];

/** Paths on the shared volume, the same as in the Flux Operator, for compatibility with its configurations. */
export function sharedPaths({ mountPath }: { mountPath: string }) {
  const config = `${mountPath}/config`;
  return {
    view: `${mountPath}/view`,
    config,
    resources: `${config}/etc/flux/system/R`,
    hostlist: `${config}/etc/flux/system/hostlist`,
    cron: `${config}/etc/flux/system/cron.d`,
    state: `${config}/var/lib/flux`,
    archive: `${config}/var/lib/flux/job-archive.sqlite`,
    run: `${config}/run/flux`,
    rc: `${config}/etc/flux/rc`,
    broker: `${config}/etc/flux/system/broker.toml`,
    home: `${mountPath}/home`,
  };
}

/** Keys of the ConfigMap, which are also the file names in `configDirectory`. */
export const files = {
  brokerConfig: "broker.toml",
  view: "view.sh",
  environment: "flux-view.sh",
  connect: "flux-connect.sh",
  broker: "broker.sh",
  ready: "ready.sh",
  drain: "drain.sh",
  /** Shows the output of a batch job. */
  watch: "watch.sh",
  /** Settings of all scripts in a pod of brokers, and of the scripts of one container. */
  settings: "settings.sh",
  container: (container: string) => `${container}.settings.sh`,
  /** Variables of `flux.environment`. */
  exports: "environment.sh",
  /** Start script of a sidecar or a service. */
  sidecar: (container: string) => `${container}.start.sh`,
  /** Script of a batch job. */
  batch: (container: string) => `${container}.batch.sh`,
  /** A piece of the user's own code. */
  user: (container: string, piece: UserPiece) => `${container}.${piece}.sh`,
} as const;

/** Pieces of user code, each a separate file. */
export type UserPiece = "command" | "init" | "pre" | "post" | "brokerPre" | "workerPre" | "servicePre";

/** Path of a file of the ConfigMap in a container. */
export const configFile = (file: string) => `${configDirectory}/${file}`;

/** Variable with the directory for the output of jobs. */
export const outputVariable = "FLUX_OUTPUT_DIR";

/** Variable with the endpoint of a lead broker in another cluster, as `address:port`. */
export const leadVariable = "MINICLUSTER_LEAD";

/** Names of all variables of the Flux Operator's scripts that the code of a cluster can use. */
export const operatorVariables: readonly string[] = [
  "viewbase",
  "viewroot",
  "viewbin",
  "fluxpath",
  "fluxroot",
  "software",
  "configroot",
  "installRoot",
  "hosts",
  "mainHost",
  "fluxsocket",
  "fluxuid",
  "fluxuser",
  "cfg",
  "curvesrc",
  "curvepath",
  "STATE_DIR",
  "brokerOptions",
  "node_spec",
  "flags",
  "option_flags",
  "command",
  "asFlux",
  "asSudo",
  "workdir",
  "foundroot",
  "pythonversion",
  "SUDO",
  "USER",
];
