import { descendingProblem, dnsLabelProblem } from "./formats";
import {
  type At,
  checked,
  type Fields,
  isAbsent,
  itemsOf,
  notEmpty,
  oneOf,
  oneSource,
  partIn,
  required,
  textOf,
  within,
} from "./reading";

type Rule = (source: Fields, at: At) => void;

const needs =
  (...names: string[]): Rule =>
  (source, at) =>
    required(source, names, at);

const listed =
  (name: string): Rule =>
  (source, at) => {
    const list = source[name];
    if (list === undefined || (Array.isArray(list) && list.length === 0)) at([name], "needs at least one; add it");
  };

const secretName: Rule = (source, at) => partIn(source, "secretRef", at, needs("name"));

const all =
  (...rules: Rule[]): Rule =>
  (source, at) =>
    rules.forEach((rule) => rule(source, at));

const bytes = [0, 255] as const;

const partition: Rule = (source, at) => within(source, "partition", bytes, at);

const iscsiProblem = (name: string) =>
  /^(iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+|eui.[A-Za-z0-9]{16}|naa.[A-Za-z0-9]{32})$/.test(name)
    ? undefined
    : "must be the name of an initiator or a target of iSCSI, such as iqn.2001-04.com.example:disk";

/**
 * The rules on the sources of volumes that CSI drivers have replaced. Source: `pkg/apis/core/validation/validation.go`,
 * `validateVolumeSource`.
 */
export const olderSources: Record<string, Rule> = {
  gcePersistentDisk: all(needs("pdName"), partition),
  awsElasticBlockStore: all(needs("volumeID"), partition),
  gitRepo: all(needs("repository"), (source, at) => checked(source, "directory", descendingProblem, at)),
  nfs: all(needs("server", "path"), (source, at) => {
    const path = textOf(source.path);
    if (path !== undefined && !path.startsWith("/")) at(["path"], `${JSON.stringify(path)} must be an absolute path`);
  }),
  iscsi: all(needs("targetPortal", "iqn"), (source, at) => {
    notEmpty(source, ["initiatorName"], at);
    for (const name of ["iqn", "initiatorName"]) checked(source, name, iscsiProblem, at);
    within(source, "lun", bytes, at);
    if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && source.secretRef === undefined)
      at(["secretRef"], "is required with CHAP; add it");
  }),
  glusterfs: needs("endpoints", "path"),
  flocker: (source, at) => {
    const given = Object.fromEntries(Object.entries(source).filter(([, value]) => !isAbsent(value)));
    oneSource(given, ["datasetName", "datasetUUID"], at);
    checked(source, "datasetName", (name) => (name.includes("/") ? 'must not contain "/"' : undefined), at);
  },
  rbd: all(listed("monitors"), needs("image")),
  cinder: all(needs("volumeID"), secretName),
  cephfs: listed("monitors"),
  quobyte: all(needs("registry", "volume"), (source, at) => {
    const isPair = (pair: string) => /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair);
    checked(source, "registry", (text) => (text.split(",").every(isPair) ? undefined : "must be host:port pairs"), at);
    checked(source, "tenant", (text) => (text.length < 65 ? undefined : "must have at most 64 characters"), at);
  }),
  fc: (source, at) => {
    const [targets, ids] = [itemsOf(source.targetWWNs), itemsOf(source.wwids)];
    if (source.targetWWNs === undefined && source.wwids === undefined)
      at(["targetWWNs"], "is required, unless wwids is set; add one of them");
    if (targets.length > 0 && ids.length > 0) at(["wwids"], "excludes targetWWNs; keep one of them");
    if (targets.length === 0) return;
    if (source.lun === undefined) at(["lun"], "is required with targetWWNs; add it");
    within(source, "lun", bytes, at);
  },
  flexVolume: all(needs("driver"), (source, at) => {
    for (const key of Object.keys(source.options ?? {}))
      if (/\.(kubernetes|k8s)\.io$/.test(`.${key.split("/")[0]?.toLowerCase()}`))
        at(["options", key], "has a prefix of Kubernetes; choose another");
  }),
  azureFile: needs("secretName", "shareName"),
  vsphereVolume: needs("volumePath"),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  azureDisk: all(needs("diskName", "diskURI"), (source, at) => {
    notEmpty(source, ["cachingMode", "kind"], at);
    checked(source, "cachingMode", oneOf("None", "ReadOnly", "ReadWrite"), at);
    checked(source, "kind", oneOf("Shared", "Dedicated", "Managed"), at);
    const [uri, kind] = [textOf(source.diskURI), textOf(source.kind)];
    const start = kind === "Managed" ? "/subscriptions/" : "https://";
    if (uri !== undefined && kind !== undefined && !uri.startsWith(start))
      at(["diskURI"], `must start with ${start} for kind "${kind}"`);
  }),
  storageos: all(needs("volumeName"), secretName, (source, at) => {
    for (const name of ["volumeName", "volumeNamespace"]) checked(source, name, dnsLabelProblem, at);
  }),
  scaleIO: needs("gateway", "system", "volumeName"),
};
