import { z } from "zod";
import { MiniClusterArch } from "../../clouds/nodes/args";
import {
  absolutePath,
  choice,
  dnsLabel,
  flag,
  fluxDuration,
  integer,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  objectName,
  properties,
  shellVariableName,
  tcpPort,
  text,
} from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import { toml } from "../../shared/toml";
import { MiniClusterMatchPolicy, MiniClusterQueuePolicy } from "../args";
import { certificateProblem } from "./curveCertificate";
import { isWithin, resources, scriptText, words } from "./container";
import { hostlistProblem } from "./hostlist";
import { address, hosts } from "./hosts";
import { manifestOnly } from "./manifestOnly";
import { brokerPort } from "./names";
import { defaultMountPath, defaultViewName, reservedDirectories, sharedPaths } from "./paths";
import { containerSecurityContext } from "./security";

const topologyForm = /^(kary:\d+|mincrit(:\d+)?|binomial|custom:\S+)$/;

/** Most bytes of a broker's run directory, so that the paths of its sockets fit (`rundir_special` in Flux's rundir.c). */
const maxRunDirectory = 96;

const bytesBelow = Buffer.byteLength(sharedPaths({ mountPath: "" }).run);

const mountPath = absolutePath
  .refine((path) => path !== "/" && !reservedDirectories.some((directory) => isWithin(path, directory)), {
    error: (issue) => `${String(issue.input)} cannot hold the Flux volume; choose another directory`,
  })
  .refine(
    (path) => Buffer.byteLength(path) + bytesBelow <= maxRunDirectory,
    `must have at most ${maxRunDirectory - bytesBelow} bytes, so that Flux can create its sockets below it; choose a shorter path`,
  );

/** Fields of the container that provides Flux. */
export const fluxContainerFields = {
  image: leaf(nonEmptyText).optional(),
  imageVolume: flag.default(false),
  name: dnsLabel.default(defaultViewName),
  mountPath: mountPath.default(defaultMountPath),
  workingDir: leaf(absolutePath).optional(),
  pythonPath: absolutePath.optional(),
  resources,
  imagePullSecret: leaf(objectName).optional(),
  pullAlways: flag.default(false),
  securityContext: containerSecurityContext.prefault({}),
  disable: flag.default(false),
};

/** Text of a certificate. Its messages contain no character of it. */
export const certificate = text.superRefine((value, context) => {
  const problem = certificateProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

// As in the Flux Operator, the broker uses its default if the text is empty.
const connectTimeout = text.refine((value) => value === "" || fluxDuration.safeParse(value).success, {
  error: (issue) => `${JSON.stringify(issue.input)} must be a Flux duration such as "5s" or "500ms", or empty`,
});

const secondsOf = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

// The programs beside the lead broker read a job after its end.
const inactiveAge = fluxDuration.refine(
  (value) => {
    const unit = (/[a-z]+$/.exec(value)?.[0] ?? "s") as keyof typeof secondsOf;
    return Number.parseFloat(value) * secondsOf[unit] >= 60;
  },
  { error: (issue) => `${JSON.stringify(issue.input)} must be at least "1m"` },
);

/** A whole broker configuration, and the paths of files in it. */
export const brokerConfig = text.transform((config, context) => {
  const { parse, TomlError } = toml();
  try {
    const { bootstrap, resource } = parse(config);
    const certificate = pathIn(bootstrap, "curve_cert");
    if (reservedDirectories.some((directory) => isWithin(certificate, directory)))
      context.addIssue({
        code: "custom",
        message: `${certificate} is on a read-only mount; choose another curve_cert`,
      });
    return { toml: config, certificate, resources: pathIn(resource, "path"), hosts: hostsIn(bootstrap) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.split("\n");
    context.addIssue({ code: "custom", message: `line ${error.line}, column ${error.column}: ${message}` });
    return z.NEVER;
  }
});

/** Every host of the configuration, in rank order, as a Flux hostlist. */
function hostsIn(bootstrap: unknown): string | undefined {
  const { hosts } = properties(bootstrap as { hosts?: unknown } | undefined);
  if (!Array.isArray(hosts)) return undefined;
  const names = hosts.map((entry: unknown) => properties(entry as { host?: unknown }).host);
  return names.length > 0 && names.every((name) => typeof name === "string") ? names.join(",") : undefined;
}

function pathIn(table: unknown, key: string): string | undefined {
  const value = isPlainObject(table) ? table[key] : undefined;
  return typeof value === "string" && value.startsWith("/") ? value : undefined;
}

const hostlist = nonEmptyText
  .refine((value) => /^[\w.[\],-]+$/.test(value), {
    error: (issue) => `${JSON.stringify(issue.input)} must be a Flux hostlist such as "demo-[0-3],node[1-4]"`,
  })
  .superRefine((value, context) => {
    const problem = hostlistProblem(value);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

const leadBroker = object({
  address,
  name: dnsLabel,
  size: hosts,
  port: tcpPort.default(brokerPort),
});

/** Brokers of other clusters in the same instance, in the form of the Flux Operator. */
const operatorBursting = object({
  leadBroker: leadBroker.optional(),
  hostlist: hostlist.optional(),
  clusters: list(object({ name: dnsLabel.optional(), size: hosts.optional() })).default([]),
});

/** Name of a cluster that joins, by its place. */
export const burstName = (name: string | undefined, index: number) => name ?? `burst-${index}`;

/** True where brokers of other clusters belong to the instance. */
export const joinsClusters = (
  bursting: { leadBroker?: object; hostlist?: string; clusters: readonly unknown[] } | undefined,
) =>
  bursting !== undefined &&
  (bursting.leadBroker !== undefined || bursting.hostlist !== undefined || bursting.clusters.length > 0);

/** Fields of the Flux brokers and of the start of the command. */
export const fluxFields = {
  container: object(fluxContainerFields).prefault({}),
  arch: choice(MiniClusterArch).optional(),
  submitCommand: words
    .refine((split) => split.length > 0, { error: "needs a command; leave it out for flux submit" })
    .prefault("flux submit"),
  optionFlags: words.prefault(""),
  wrap: nonEmptyText.optional(),
  connectTimeout: connectTimeout.optional(),
  topology: nonEmptyText
    .refine((value) => topologyForm.test(value), {
      error: (issue) => `"${String(issue.input)}" must be a topology such as "kary:2", "kary:0" or "binomial"`,
    })
    .optional(),
  disableSocket: flag.default(false),
  noWaitSocket: flag.default(false),
  completeWorkers: flag.default(false),
  logLevel: integer(0, 7).default(6),
  inactiveNumLimit: integer(100, 1_000_000).optional(),
  inactiveAgeLimit: inactiveAge.optional(),
  scheduler: object({
    simple: flag.default(false),
    queuePolicy: choice(MiniClusterQueuePolicy).optional(),
    matchPolicy: choice(MiniClusterMatchPolicy).optional(),
  }).prefault({}),
  minimalService: manifestOnly(flag.default(false), "remove it"),
  curveCert: leaf(certificate).optional(),
  mungeSecret: leaf(objectName).optional(),
  brokerConfig: brokerConfig.optional(),
  environment: map(shellVariableName, scriptText).default({}),
  bursting: manifestOnly(operatorBursting.optional(), "remove it, and set bursting of the cluster"),
};

export const flux = object(fluxFields);
