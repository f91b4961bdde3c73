import {
  isRpcSecret,
  specialSecretSig,
  specialSigKey,
  unknownValue,
  unwrapRpcSecret,
} from "@pulumi/pulumi/runtime/rpc";
import { isPlainObject } from "../../shared/objects";

/** A value with each secret in it in plain text, for use only: outputs keep the original value. */
export function withoutSecrets(value: unknown): unknown {
  if (isRpcSecret(value)) return withoutSecrets(unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** True for a value that is a secret or contains one. */
export function hasSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isRpcSecret(value) || Object.values(value).some(hasSecret);
}

/** A value as a secret for the engine. */
export const secretOf = (value: unknown) => ({ [specialSigKey]: specialSecretSig, value });

/** True for a text that is known: a preview has a placeholder for a text that is known only later. */
export const isKnownText = (value: unknown): value is string => typeof value === "string" && value !== unknownValue;
