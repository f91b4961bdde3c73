import * as assert from "node:assert/strict";
import type { MiniClusterContainerArgs } from "../../../../provider";
import { aContainer, aMiniClusterArgs } from "../../../support/fixtures";
import { itAccepts, itRefuses, problemsOf } from "../../../support/problems";

type Container = Partial<MiniClusterContainerArgs>;

const one = (container: Container) => ({ containers: [aContainer(container)] });
const sidecar = (container: Container) => ({
  containers: [aContainer({ runFlux: true }), aContainer({ name: "side", ...container })],
});
const onlyBroker = "is only for the container that runs Flux; remove it or move it there";
const besideBatch = "requires batch; add batch: true or remove it";
const givenByLogs = "is set by the container's logs; give the directory there";
const noLines = "a batch job needs a command with its lines; add command or remove batch";

describe("the rules of batch jobs", () => {
  itRefuses([
    {
      rule: "batch without a command",
      args: one({ command: undefined, batch: true }),
      path: "containers[0].batch",
      says: noLines,
    },
    {
      rule: "batch with a blank command",
      args: one({ command: " \n", batch: true }),
      path: "containers[0].batch",
      says: noLines,
    },
    {
      rule: "batch beside a launcher",
      args: one({ launcher: true, batch: true }),
      path: "containers[0].launcher",
      says: "a launcher submits its own jobs; keep launcher or batch",
    },
    {
      rule: "batchRaw without batch",
      args: one({ batchRaw: true }),
      path: "containers[0].batchRaw",
      says: besideBatch,
    },
    ...(["environment", "secrets"] as const).map((map) => ({
      rule: `the directory for the output in ${map}`,
      args: one({ [map]: { FLUX_OUTPUT_DIR: map === "secrets" ? { name: "s", key: "k" } : "/out" } }),
      path: `containers[0].${map}.FLUX_OUTPUT_DIR`,
      says: givenByLogs,
    })),
    {
      rule: "the directory for the output in flux.environment",
      args: { flux: { environment: { FLUX_OUTPUT_DIR: "/out" } }, ...one({}) },
      path: "flux.environment.FLUX_OUTPUT_DIR",
      says: givenByLogs,
    },
    {
      rule: "relative logs",
      args: one({ batch: true, logs: "out" }),
      path: "containers[0].logs",
      says: '"out" must be an absolute path such as "/data", without a colon',
    },
    ...(["batch", "batchRaw"] as const).map((key) => ({
      rule: `${key} on a sidecar`,
      args: sidecar({ [key]: true }),
      path: `containers[1].${key}`,
      says: onlyBroker,
    })),
    { rule: "logs on a sidecar", args: sidecar({ logs: "/out" }), path: "containers[1].logs", says: onlyBroker },
  ]);

  it("refuse a script in place of the command, and say where it goes", () =>
    assert.deepEqual(
      problemsOf(aMiniClusterArgs(one({ command: undefined, batch: true, commands: { script: "x" } }))),
      [
        {
          propertyPath: "containers[0].commands.script",
          reason: "a batch job takes its script from command; move it there and set batchRaw: true",
        },
        { propertyPath: "containers[0].batch", reason: noLines },
      ],
    ));

  itAccepts({
    "a batch job": one({ command: "a\nb", batch: true }),
    "a script of the user's own as a batch job": one({ command: "#!/bin/sh\na", batch: true, batchRaw: true }),
    "a directory for the output": one({ batch: true, logs: "/shared/out" }),
    "a directory for the output of other commands": one({ logs: "/shared/out" }),
    "a sidecar's own directory for output": sidecar({ environment: { FLUX_OUTPUT_DIR: "/out" } }),
    "switches that are off": one({ batch: false, batchRaw: false, launcher: true }),
    "a batch job that people run themselves": { interactive: true, ...one({ batch: true }) },
  });
});

describe("the rules of noWrapEntrypoint", () => {
  itRefuses([
    {
      rule: "it on the container that runs Flux",
      args: one({ noWrapEntrypoint: true }),
      path: "containers[0].noWrapEntrypoint",
      says: "is only for a container that does not run Flux; remove it or move it there",
    },
    ...(["script", "init", "post", "servicePre"] as const).map((piece) => ({
      rule: `it with commands.${piece}`,
      args: sidecar({
        command: piece === "script" ? undefined : "x",
        noWrapEntrypoint: true,
        commands: { [piece]: "y" },
      }),
      path: "containers[1].commands",
      says: "need a start script, which noWrapEntrypoint leaves out; remove one of them",
    })),
  ]);

  itAccepts({
    "it on a sidecar with a command": sidecar({ noWrapEntrypoint: true }),
    "it on a sidecar that runs its image's own command": sidecar({ command: undefined, noWrapEntrypoint: true }),
    "it with commands that say nothing": sidecar({ noWrapEntrypoint: true, commands: { init: undefined } }),
  });
});

describe("the rules of hooks", () => {
  itRefuses(
    (["postStartExec", "preStopExec"] as const).flatMap((key) => [
      {
        rule: `a blank ${key}`,
        args: one({ lifeCycle: { [key]: " " } }),
        path: `containers[0].lifeCycle.${key}`,
        says: "needs a command; leave it out for none",
      },
      {
        rule: `NUL in ${key}`,
        args: one({ lifeCycle: { [key]: "a\0" } }),
        path: `containers[0].lifeCycle.${key}`,
        says: "must not hold a NUL character",
      },
    ]),
  );
});
