import fc from "fast-check";
import {
  long,
  of,
  some,
  few,
  labels,
  objectNames,
  texts,
  variables,
  paths,
  resources,
  securityContext,
  volumes,
} from "./values";

export const code = of("", "true", "echo $HOME\nexit 3", "x".repeat(20_000), "é'\"", "set -x");
export const container = {
  image: of("i", "ubuntu:noble", "a/b@sha256:0", " i", "i ", "I", "a b"),
  command: of("x", "echo a b", "a && b", "", "x\ny", "y".repeat(200_000), "z".repeat(600_000), "$(A) $$"),
  workingDir: paths,
  imagePullSecret: objectNames,
  imagePullPolicy: of("Always", "IfNotPresent", "Never"),
  ports: fc.array(of(1, 80, 443, 6379, 8050, 8060, 8061, 65_535), { maxLength: 3 }),
  environment: few(variables, texts),
  secrets: few(
    variables,
    fc.record({ name: objectNames, key: of("k", ".k", "..k", ".", "..", "a b", "é", long(253), long(254), "a/b") }),
  ),
  resources,
  securityContext,
  lifeCycle: some({ postStartExec: of("x", "a && b", "x y"), preStopExec: of("x", "exit 1") }),
  volumes,
};

export const broker = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      { ...container, runFlux: fc.constant(true), launcher: fc.boolean() },
      { requiredKeys: ["image", "runFlux"] },
    ),
  },
  fc.record(
    {
      ...container,
      runFlux: fc.constant(true),
      commands: some({ init: code, pre: code, post: code, brokerPre: code, workerPre: code }),
      logs: paths,
      name: labels,
    },
    { requiredKeys: ["image", "runFlux"] },
  ),
);
export const sidecar = fc.record(
  { ...container, name: labels, serviceName: of("s", "side", long(63)), noWrapEntrypoint: fc.boolean() },
  { requiredKeys: ["image", "name"] },
);
export const service = fc.record(
  { ...container, name: labels, commands: some({ servicePre: code }) },
  { requiredKeys: ["image", "name"] },
);
