import { fieldRule, fileFields, resourceFieldRule } from "./environment";
import { csiDriverProblem, dnsLabelProblem, filePathProblem, noBackstepProblem, subdomainProblem } from "./formats";
import { labelSelectorRule, templateMetadataRule } from "./metadata";
import { olderSources } from "./olderVolumes";
import { milliOf, quantityOf } from "./quantity";
import {
  type At,
  checked,
  eachIn,
  type Fields,
  fieldsOf,
  isAbsent,
  isKnown,
  itemsOf,
  notEmpty,
  oneOf,
  oneSource,
  partIn,
  required,
  textOf,
  within,
} from "./reading";
import { structure } from "./structure";

// Source: `pkg/apis/core/validation/validation.go`, `ValidateVolumes`.

const modes = [0, 0o777] as const;

const sources = [...(structure.get("Volume")?.keys() ?? [])].filter((name) => name !== "name");

/** The volumes of a pod by their names, with the rules on each. */
export function volumesRule(pod: Fields, at: At): ReadonlyMap<unknown, Fields> {
  const volumes = new Map<unknown, Fields>();
  eachIn(pod, "volumes", at, (volume, at) => {
    required(volume, ["name"], at);
    checked(volume, "name", dnsLabelProblem, at);
    if (volumes.has(volume.name))
      at(["name"], `"${String(volume.name)}" is the name of another volume; choose another`);
    // Kubernetes creates an empty directory for a volume without a source.
    oneSource(volume, sources, at, 0);
    for (const [name, rule] of Object.entries({ ...sourceRules, ...olderSources })) partIn(volume, name, at, rule);
    const { initiatorName, targetPortal } = fieldsOf(volume.iscsi);
    if (initiatorName !== undefined && `${String(volume.name)}:${String(targetPortal)}`.length > 64)
      at(["iscsi", "targetPortal"], "has, with the name of the volume, more than 63 characters; shorten the name");
    volumes.set(volume.name, volume);
  });
  return volumes;
}

function itemsRule(source: Fields, at: At): void {
  within(source, "defaultMode", modes, at);
  eachIn(source, "items", at, (item, at) => {
    required(item, ["key", "path"], at);
    checked(item, "path", filePathProblem, at);
    within(item, "mode", modes, at);
  });
}

const named =
  (name: string) =>
  (source: Fields, at: At): void => {
    required(source, [name], at);
    itemsRule(source, at);
  };

function downwardRule(source: Fields, at: At): void {
  within(source, "defaultMode", modes, at);
  eachIn(source, "items", at, (file, at) => {
    required(file, ["path"], at);
    checked(file, "path", filePathProblem, at);
    within(file, "mode", modes, at);
    oneSource(file, ["fieldRef", "resourceFieldRef"], at);
    partIn(file, "fieldRef", at, (reference, at) => fieldRule(reference, fileFields, at));
    partIn(file, "resourceFieldRef", at, (reference, at) => resourceFieldRule(reference, true, at));
  });
}

const hostPathTypes = ["DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"];

const sourceRules: Record<string, (source: Fields, at: At) => void> = {
  emptyDir: (source, at) => {
    if ((quantityOf(source.sizeLimit) ?? 0n) < 0n) at(["sizeLimit"], "must not be negative");
  },
  hostPath: (source, at) => {
    required(source, ["path"], at);
    checked(source, "path", noBackstepProblem, at);
    checked(source, "type", oneOf(...hostPathTypes), at);
  },
  secret: named("secretName"),
  configMap: named("name"),
  persistentVolumeClaim: (source, at) => required(source, ["claimName"], at),
  downwardAPI: downwardRule,
  projected: projectedRule,
  csi: (source, at) => {
    required(source, ["driver"], at);
    checked(source, "driver", csiDriverProblem, at);
    partIn(source, "nodePublishSecretRef", at, (secret, at) => {
      required(secret, ["name"], at);
      checked(secret, "name", subdomainProblem, at);
    });
  },
  image: (source, at) => {
    required(source, ["reference"], at);
    checked(source, "pullPolicy", oneOf("Always", "IfNotPresent", "Never"), at);
  },
  ephemeral: (source, at) => {
    required(source, ["volumeClaimTemplate"], at);
    partIn(source, "volumeClaimTemplate", at, (template, at) => {
      partIn(template, "metadata", at, templateMetadataRule);
      required(template, ["spec"], at);
      partIn(template, "spec", at, claimRule);
    });
  },
};

// Projections whose feature gates Kubernetes 1.36 disables by default are accepted, for servers that enable them.
const projections = [
  "secret",
  "configMap",
  "downwardAPI",
  "serviceAccountToken",
  "clusterTrustBundle",
  "podCertificate",
];

const tokenSeconds = [600, 2 ** 32] as const;

function projectedRule(source: Fields, at: At): void {
  within(source, "defaultMode", modes, at);
  const paths = new Set<unknown>();
  const once = (path: unknown, at: At) => {
    if (isAbsent(path)) return;
    if (paths.has(path)) at(["path"], "is the path of another file of the volume; choose another");
    paths.add(path);
  };
  eachIn(source, "sources", at, (projection, at) => {
    oneSource(projection, projections, at, 0);
    for (const name of ["secret", "configMap"])
      partIn(projection, name, at, (part, at) => {
        named("name")(part, at);
        eachIn(part, "items", at, ({ path }, at) => once(path, at));
      });
    partIn(projection, "downwardAPI", at, (part, at) => {
      downwardRule(part, at);
      eachIn(part, "items", at, ({ path }, at) => once(path, at));
    });
    partIn(projection, "serviceAccountToken", at, (token, at) => {
      required(token, ["path"], at);
      checked(token, "path", filePathProblem, at);
      within(token, "expirationSeconds", tokenSeconds, at);
    });
  });
}

const accessModes = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];

/** The rule on a claim of storage. Source: there, `ValidatePersistentVolumeClaimSpec`. */
function claimRule(claim: Fields, at: At): void {
  if (claim.accessModes === undefined) at(["accessModes"], "is required; add it");
  const given = itemsOf(claim.accessModes);
  if (Array.isArray(claim.accessModes) && given.length === 0) at(["accessModes"], "needs at least one; add it");
  given.forEach((mode, index) => {
    const problem = typeof mode === "string" ? oneOf(...accessModes)(mode) : undefined;
    if (problem !== undefined) at(["accessModes", index], `${JSON.stringify(mode)} ${problem}`);
  });
  if (given.includes("ReadWriteOncePod") && given.length > given.filter((mode) => mode === "ReadWriteOncePod").length)
    at(["accessModes"], "ReadWriteOncePod excludes the others; remove them");
  if (claim.resources === undefined) at(["resources", "requests", "storage"], "is required; add it");
  partIn(claim, "resources", at, ({ requests }, at) => storageRule(requests, at));
  partIn(claim, "selector", at, labelSelectorRule);
  for (const name of ["storageClassName", "volumeAttributesClassName"]) checked(claim, name, subdomainProblem, at);
  notEmpty(claim, ["volumeMode"], at);
  checked(claim, "volumeMode", oneOf("Filesystem", "Block"), at);
  partIn(claim, "dataSource", at, (source, at) => {
    required(source, ["name", "kind"], at);
    if (isAbsent(source.apiGroup) && textOf(source.kind) !== undefined)
      checked(source, "kind", oneOf("PersistentVolumeClaim"), at);
    checked(source, "apiGroup", subdomainProblem, at);
  });
}

function storageRule(requests: unknown, at: At): void {
  const { storage } = fieldsOf(requests);
  const place = ["requests", "storage"];
  if (storage === undefined) {
    if (isKnown(requests)) at(place, "is required; add it");
  } else if ((milliOf(storage) ?? 1n) <= 0n) at(place, "must be more than 0");
}
