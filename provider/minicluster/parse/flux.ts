import {
  absolutePath,
  choice,
  dnsLabel,
  flag,
  fluxDuration,
  integer,
  leaf,
  map,
  nonEmptyText,
  object,
  objectName,
  shellVariableName,
  text,
} from "../../shared/checks";
import { MiniClusterArch, MiniClusterQueuePolicy } from "../args";
import { certificateProblem } from "../flux/curve";
import { defaultMountPath, defaultViewName, reservedDirectories } from "../paths";
import { brokerConfig } from "./brokerConfig";
import { operatorBursting } from "./operatorBursting";
import { code, resources, words } from "./container";
import { containerSecurityContext } from "./security";
import { isWithin } from "./volume";

const topologyForm = /^(kary:\d+|mincrit(:\d+)?|binomial|custom:\S+)$/;

const mountPath = absolutePath.refine(
  (path) => path !== "/" && !reservedDirectories.some((directory) => isWithin(path, directory)),
  { error: (issue) => `${String(issue.input)} cannot hold the Flux volume; choose another directory` },
);

/** The container that brings Flux, field by field. */
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

/** Text of a certificate. A message on it shows no character of it. */
export const certificate = text.superRefine((value, context) => {
  const problem = certificateProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

// As in the Flux Operator, an empty text leaves the broker to its own default.
const connectTimeout = text.refine((value) => value === "" || fluxDuration.safeParse(value).success, {
  error: (issue) => `${JSON.stringify(issue.input)} must be a Flux duration such as "5s" or "500ms", or empty`,
});

/** The Flux brokers and how the command is launched, field by field. */
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
  scheduler: object({
    simple: flag.default(false),
    queuePolicy: choice(MiniClusterQueuePolicy).optional(),
  }).prefault({}),
  minimalService: flag.default(false),
  curveCert: leaf(certificate).optional(),
  mungeSecret: leaf(objectName).optional(),
  brokerConfig: brokerConfig.optional(),
  environment: map(shellVariableName, code).default({}),
  bursting: operatorBursting.optional(),
};

export const flux = object(fluxFields);
