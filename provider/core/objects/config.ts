import * as pulumi from "@pulumi/pulumi";
import { hashDeferred, hashKnown, isDeferred } from "../../shared/deferred";
import { configMapName, environmentSecretName, scriptsAnnotation, secretName, sizeKey } from "../parse/names";
import { curveFile } from "../parse/paths";
import type { ContainerSpec, MiniClusterSpec } from "../parse/spec";
import { type EnvVar, metadata, patchMetadata, type SecretManifest } from "./manifest";
import { scriptsHash } from "./scripts";

/** The scripts and the broker configuration, and the size that a container reads when it starts. */
export function buildConfigMap(spec: MiniClusterSpec, files: Record<string, string>) {
  return { metadata: metadata(spec, configMapName(spec)), data: { ...files, [sizeKey]: String(spec.size) } };
}

/** The part of the ConfigMap that a resize changes. */
export function buildConfigScale(spec: MiniClusterSpec, files: Record<string, string>) {
  const { annotations, ...identity } = patchMetadata(spec, configMapName(spec), hashKnown(files));
  return {
    metadata: { ...identity, annotations: { ...annotations, [scriptsAnnotation]: scriptsHash() } },
    data: { [sizeKey]: String(spec.size) },
  };
}

/**
 * The variables of a container. A value that is only known later may be a secret, and one secret would hide the whole list of
 * containers in every preview: such values go through a Secret, and plain ones stay in the list.
 */
export function buildEnvironment(spec: MiniClusterSpec, container: ContainerSpec): EnvVar[] {
  const plain = Object.entries(container.environment).map(([name, value]) =>
    isDeferred(value)
      ? fromSecret(name, environmentSecretName(spec), secretKey(container, name))
      : { name, value: unexpanded(value as string) },
  );
  const secrets = Object.entries(container.secrets).map(([name, secret]) => fromSecret(name, secret.name, secret.key));
  return [...plain, ...secrets];
}

/**
 * A value that Kubernetes uses literally, like a value of a Secret. In a plain value and in a command, it expands `$(NAME)` and
 * writes `$$` as `$`.
 */
export const unexpanded = (value: string) => value.replace(/\$(?=[$(])/g, "$$$$");

/** The Secret with the values that are only known later, if there are any. */
export function buildEnvironmentSecret(spec: MiniClusterSpec): SecretManifest | undefined {
  const { main, sidecars, services } = spec;
  const entries = deferredVariables([main, ...sidecars, ...services]).map(([key, value]) => [
    key,
    pulumi.output(value).apply((text) => Buffer.from(text).toString("base64")),
  ]);
  if (entries.length === 0) return undefined;
  const data = Object.fromEntries(entries) as Record<string, pulumi.Output<string>>;
  return { metadata: metadata(spec, environmentSecretName(spec)), type: "Opaque", data };
}

/** Hash of the variables of some containers that are known only later, so that their pods restart with a new value. */
export function hashEnvironment(
  containers: ContainerSpec[],
  key: pulumi.Input<string>,
): pulumi.Output<string> | undefined {
  return hashDeferred(deferredVariables(containers), key);
}

function deferredVariables(containers: ContainerSpec[]): [string, pulumi.Input<string>][] {
  return containers.flatMap((container) =>
    Object.entries(container.environment)
      .filter(([, value]) => isDeferred(value))
      .map(([name, value]): [string, pulumi.Input<string>] => [secretKey(container, name), value]),
  );
}

/**
 * Key of a variable in the Secret. A key allows fewer characters than a variable: an invalid name has its hash as the key, after
 * a second dot, which no other key has.
 */
const secretKey = ({ name }: ContainerSpec, variable: string) =>
  `${name}.${/^[-\w][-\w.]{0,188}$/.test(variable) ? variable : `.${hashKnown(variable)}`}`;

const fromSecret = (name: string, secret: pulumi.Input<string>, key: pulumi.Input<string>): EnvVar => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key } },
});

/** The Secret that holds the certificate, and what features add to it, in base64. */
export function buildSecret(
  spec: MiniClusterSpec,
  certificate: pulumi.Output<string>,
  more: Record<string, pulumi.Output<string>> = {},
): SecretManifest {
  return {
    metadata: metadata(spec, secretName(spec)),
    type: "Opaque",
    // Not immutable: a kubelet caches an immutable Secret even after another Secret has the same name.
    data: { [curveFile]: certificate, ...more },
  };
}

/** Hash that differs between certificates, and reveals nothing else about them. */
export const hashCertificate = (certificate: pulumi.Output<string>) => hashDeferred([certificate], certificate);
