import { flag, integer, list, map, struct, text } from "./kinds";

/** Fields of a container that both versions of the API have, with the same meaning and form. */
export const containerFields = {
  image: text,
  name: text,
  command: text,
  workingDir: text,
  imagePullSecret: text,
  pullAlways: flag,
  ports: list(integer),
  environment: map(text),
  secrets: map(struct({ name: text, key: text })),
  runFlux: flag,
  launcher: flag,
  batch: flag,
  batchRaw: flag,
  logs: text,
  lifeCycle: struct({ postStartExec: text, preStopExec: text }),
};

export const bursting = struct({
  leadBroker: struct({ address: text, name: text, size: integer, port: integer }),
  hostlist: text,
  clusters: list(struct({ name: text, size: integer })),
});

export const logging = struct({ quiet: flag, strict: flag, debug: flag, zeromq: flag, timed: flag });

export const archive = struct({ path: text });
