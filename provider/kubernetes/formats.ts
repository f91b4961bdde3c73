import { isIP, isIPv4 } from "node:net";

// Formats of texts in Kubernetes objects. Each check returns the end of the sentence "<value> …" for an invalid text. Source:
// `apimachinery/pkg/util/validation/validation.go`.

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;

type Problem = (text: string) => string | undefined;

const matches =
  (pattern: RegExp, most: number, rule: string): Problem =>
  (text) =>
    text.length <= most && pattern.test(text) ? undefined : `must be ${rule}`;

/** Name that is one label of a host name. */
export const dnsLabelProblem = matches(
  new RegExp(`^${label}$`),
  63,
  "a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends",
);

/** Name of most objects. */
export const subdomainProblem = matches(
  new RegExp(`^${subdomain}$`),
  253,
  "a DNS subdomain: at most 253 of a-z, 0-9, - and ., with a letter or digit at both ends of each part",
);

/** Domain that a resolver searches. */
export const searchProblem: Problem = (text) => (text === "." ? undefined : domainProblem(text.replace(/\.$/, "")));

const domainProblem = matches(
  /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/,
  253,
  "a domain such as example.com",
);

const keyForm = new RegExp(`^(?:(?=.{1,253}/)${subdomain}/)?(?=[^/]{1,63}$)([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`);

/** Key of a label, and name of a resource or of a condition. */
export const keyProblem = matches(
  keyForm,
  Infinity,
  "a key such as app or example.com/app: at most 63 letters, digits, -, _ and . after an optional DNS prefix",
);

/** Key of an annotation. Source: `apimachinery/pkg/api/validation/objectmeta.go`. */
export const annotationKeyProblem: Problem = (text) => keyProblem(text.toLowerCase());

/** Value of a label. */
export const labelValueProblem = matches(
  /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/,
  63,
  "a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends",
);

/** Name of a variable. */
export const variableProblem = matches(
  /^[ -<>-~]+$/,
  Infinity,
  'the name of an environment variable: printable ASCII characters without "="',
);

/** Key in a ConfigMap or a Secret. */
export const dataKeyProblem = matches(
  /^(?!\.$|\.\.)[-._a-zA-Z0-9]+$/,
  253,
  'a key of a ConfigMap or a Secret: at most 253 letters, digits, -, _ and ., not "." and not with ".." at its start',
);

/** Name of a port. */
export const portNameProblem = matches(
  /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  15,
  "the name of a port: at most 15 of a-z, 0-9 and single -, with a letter among them",
);

/** Name of a header of HTTP. */
export const headerProblem = matches(/^[-A-Za-z0-9]+$/, Infinity, "the name of an HTTP header: letters, digits and -");

/** Name of a sysctl. Source: `pkg/apis/core/validation/validation.go`, `IsValidSysctlName`. */
export const sysctlProblem = matches(
  /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/,
  253,
  "the name of a sysctl such as net.core.somaxconn: at most 253 of a-z, 0-9, -, _ and .",
);

/** Name of a CSI driver. Source: there, `ValidateCSIDriverName`. */
export const csiDriverProblem: Problem = (text) =>
  matches(
    new RegExp(`^${subdomain}$`),
    63,
    "the name of a CSI driver such as csi.example.com: at most 63 letters, digits, - and .",
  )(text.toLowerCase());

/** Path without a parent reference. Source: there, `validatePathNoBacksteps`. */
export const noBackstepProblem: Problem = (text) =>
  text.split("/").includes("..") ? 'must not contain ".."; write the path without it' : undefined;

/** Path below a directory. Source: there, `validateLocalDescendingPath`. */
export const descendingProblem: Problem = (text) =>
  text.startsWith("/") ? "must be a relative path" : noBackstepProblem(text);

/** Path of a file in a volume. Source: there, `ValidateLocalNonReservedPath`. */
export const filePathProblem: Problem = (text) =>
  descendingProblem(text) ?? (text.startsWith("..") ? 'must not start with "..", which is reserved' : undefined);

const attributeForm = new RegExp(`^(?=.{1,63}/)${subdomain}/(?=.{1,32}$)[A-Za-z_][A-Za-z0-9_]*$`);

/** Full name of an attribute of a device. Source: `pkg/apis/resource/validation/validation.go`, `validateFullyQualifiedName`. */
export const attributeProblem = matches(
  attributeForm,
  Infinity,
  "a name such as resource.kubernetes.io/pcieRoot: a DNS prefix of at most 63 characters and at most 32 letters, digits and _",
);

/**
 * Network in CIDR form, as Kubernetes takes it from version 1.36 on. Source: `apimachinery/pkg/util/validation/ip.go`,
 * `IsValidCIDR`.
 */
export function networkProblem(text: string): string | undefined {
  const [address = "", bits = "", ...rest] = text.split("/");
  const most = isIPv4(address) ? 32 : 128;
  if (addressProblem(address) !== undefined || rest.length > 0 || !/^(0|[1-9]\d*)$/.test(bits) || Number(bits) > most)
    return 'must be a network in CIDR form such as "203.0.113.0/24"';
  const free = BigInt(most - Number(bits));
  const number = addressNumber(address);
  return (number >> free) << free === number ? undefined : "has bits beyond its prefix; write its first address";
}

/** IP address. */
export const addressProblem: Problem = (text) =>
  isIP(text) === 0 || /%|^::ffff:.*\./i.test(text) ? "must be an IP address" : undefined;

/** An IP address as a number. */
function addressNumber(address: string): bigint {
  if (isIPv4(address)) return address.split(".").reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  const [head = "", tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, asGroups).split("::");
  const [before, after] = [head, tail ?? ""].map((part) => part.split(":").filter((group) => group !== "")) as [
    string[],
    string[],
  ];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

/** An IP address of version 4 as the last two groups of one of version 6. */
function asGroups(address: string): string {
  const number = addressNumber(address);
  return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
}
