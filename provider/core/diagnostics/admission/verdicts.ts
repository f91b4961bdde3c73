import { z } from "zod";
import { FailedRead } from "../../../diagnostics/apiServer";
import { printable } from "../../../shared/printable";

/** A reason for which the API server rejects an object, with the field. */
export interface Cause {
  field: PropertyKey[];
  message: string;
}

/** The response of the API server to an object in a dry run. */
export type Verdict =
  | { kind: "accepted" }
  | { kind: "rejected"; causes: Cause[] }
  /** A quota rejects the object. It counts an existing object a second time. */
  | { kind: "exceeds"; causes: Cause[] }
  /** An object that the pods refer to does not exist yet. */
  | { kind: "lacks"; message: string }
  /** The credentials are not accepted. */
  | { kind: "denied" }
  | { kind: "unasked"; reason: string; lacksNamespace?: true };

export const accepted: Verdict = { kind: "accepted" };
const rejected = (...causes: Cause[]): Verdict => ({ kind: "rejected", causes });
const unasked = (reason: string) => ({ kind: "unasked" as const, reason });

/** The verdict in the failure of a dry run. Source: Kubernetes, "Status" (meta/v1), and `pkg/api/errors` of apimachinery. */
export function verdictIn(error: unknown): Verdict {
  if (!(error instanceof FailedRead)) return unasked(`the API server does not respond: ${(error as Error).message}`);
  const { message, causes } = statusIn(error);
  switch (error.status) {
    case 400:
      return rejected(...decodingCauses(message));
    case 401:
      return { kind: "denied" };
    case 403:
      return forbidden(message);
    case 404:
      // Another diagnostic reports a kind that the Kubernetes cluster does not have.
      return /^namespaces /.test(message)
        ? { ...unasked(`${message}; it checks the object when the namespace exists`), lacksNamespace: true }
        : accepted;
    case 409:
      // The object exists. The API server reports this after every check.
      return accepted;
    case 422:
      return rejected(...(causes.length > 0 ? withoutEchoes(causes) : [textCause(message)]));
    default:
      return unasked(`the API server responds with ${error.status}: ${message}`);
  }
}

const status = z.object({
  message: z.string(),
  details: z
    .object({ causes: z.array(z.object({ message: z.string().optional(), field: z.string().optional() })).optional() })
    .optional(),
});

function statusIn({ body }: FailedRead): { message: string; causes: Cause[] } {
  const { data } = status.safeParse(jsonOf(body));
  if (!data) return { message: shortened(body), causes: [] };
  const causes = (data.details?.causes ?? []).map(({ message = data.message, field }) =>
    field === undefined || field === "" || field === "<nil>"
      ? textCause(message)
      : { field: stepsOf(field), message: shortened(message) },
  );
  return { message: shortened(data.message), causes };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Most characters of a message: some repeat a whole object. */
const longest = 500;

function shortened(message: string): string {
  const text = printable(message);
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}

/** Steps of a path in Kubernetes' notation: `spec.containers[0].resources.limits[nvidia.com/gpu]`. A few names have a capital there. */
export const stepsOf = (field: string): PropertyKey[] =>
  [...field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)].map(([, name, key = ""]) =>
    name !== undefined ? name.replace(/^[A-Z]/, (first) => first.toLowerCase()) : /^\d+$/.test(key) ? Number(key) : key,
  );

/**
 * Causes without the causes that follow from others: the mount of a rejected volume is not found, and a request without a value
 * has the value of the limit.
 */
function withoutEchoes(causes: Cause[]): Cause[] {
  const places = new Set(causes.map(({ field, message }) => `${field.map(String).join(".")}: ${message}`));
  const hasVolume = causes.some(({ field }) => field.includes("volumes"));
  return causes.filter(({ field, message }) => {
    if (hasVolume && field.includes("volumeMounts") && /^Not found/.test(message)) return false;
    const limit = field.map((step) => (step === "requests" ? "limits" : String(step))).join(".");
    return !field.includes("requests") || !places.has(`${limit}: ${message}`);
  });
}

/** The cause in a text of an admission webhook, which may begin with the path of a field. */
function textCause(message: string): Cause {
  const text = shortened(message);
  const [, field, rest] =
    /(?:^|: )((?:metadata|spec)[^\s:]*): ((?:Invalid|Required|Forbidden|Unsupported|Duplicate).*)$/s.exec(text) ?? [];
  return field === undefined || rest === undefined
    ? { field: [], message: text }
    : { field: stepsOf(field), message: rest };
}

/**
 * The causes in the message on an object that does not match its kind: fields that the API server does not support, and wrong
 * types.
 */
function decodingCauses(message: string): Cause[] {
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/g)].map(([, field = ""]) => ({
    field: stepsOf(field),
    message: "the API server does not support this field; correct its name, or upgrade the Kubernetes cluster",
  }));
  const [, given, field, type] =
    /cannot unmarshal (.+?) into Go struct field [^.\s]+\.(\S+) of type (\S+)/.exec(message) ?? [];
  const wrong =
    field === undefined ? [] : [{ field: stepsOf(field), message: `is a ${given}; must be of type ${type}` }];
  const causes = [...unknown, ...wrong];
  return causes.length > 0 ? causes : [{ field: [], message }];
}

/** The verdict on a forbidden request: the user lacks a permission, or an admission plugin rejects it. */
function forbidden(message: string): Verdict {
  const reason = message.replace(/^.*? is forbidden: /s, "");
  if (/cannot create resource/.test(reason))
    return unasked(`the credentials have no permission to create it: ${reason}`);
  if (/no PriorityClass with name|error looking up service account|RuntimeClass .* not found/.test(reason))
    return { kind: "lacks", message: reason };
  if (/^exceeded quota/.test(reason)) return { kind: "exceeds", causes: [{ field: [], message: reason }] };
  // The hook on the namespace reports what the namespace waits for.
  if (/being terminated/.test(reason)) return unasked("the namespace is being deleted");
  return rejected(textCause(reason));
}
