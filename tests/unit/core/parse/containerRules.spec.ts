import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aSidecar, withBroker, withSidecar } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();
const elsewhere = "is only for the container that runs Flux; remove it or move it there";
const fluxOnly = "is only for a container that does not run Flux; remove it or move it there";

describe("the rules of containers on who runs Flux, and under which name", () => {
  rejects({
    "containers: 0 containers run Flux; set runFlux: true on exactly one of them": withBroker({
      name: "a",
      runFlux: false,
    }),
    "containers: 2 containers run Flux…": { containers: [aBroker(), aBroker({ name: "side" })] },
    'containers[1].name: "side" is also the name of flux.container; rename one of them': {
      flux: { container: { name: "side" } },
      containers: [aBroker(), aSidecar()],
    },
  });
  rejectsAll({ containers: [aBroker(), aSidecar({ name: undefined }), aSidecar({ name: "demo" })] }, [
    "containers[1].name: a container that does not run Flux needs a name; give it one",
    'containers[2].name: "demo" is also the name of containers[0]; rename one of them',
  ]);
  accepts({
    "a container named flux-view without a view": {
      flux: { container: { disable: true } },
      containers: [aBroker({ name: "flux-view" }), aSidecar()],
    },
  });
});

describe("the rules of containers on commands", () => {
  rejects({
    "containers[1].commands: require a command; this container uses its image's entrypoint: add command or script":
      withSidecar({ command: undefined, commands: { init: "x" } }),
  });
  const twice = { command: "x", commands: { script: "y", servicePre: "x" } };
  rejectsAll(withBroker({ ...twice, noWrapEntrypoint: true }), [
    "containers[0].commands.script: script replaces command; keep one of them",
    ...errorsAt(["containers[0].commands.servicePre", "containers[0].noWrapEntrypoint"], fluxOnly),
  ]);
  rejectsAll(
    withSidecar({
      commands: { prefix: "", pre: "x", brokerPre: "x", workerPre: "x" },
      launcher: true,
      batch: true,
      batchRaw: true,
      logs: "/out",
    }),
    errorsAt(
      ["commands.prefix", "commands.pre", "commands.brokerPre", "commands.workerPre"]
        .concat("launcher", "batch", "batchRaw", "logs")
        .map((name) => `containers[1].${name}`),
      elsewhere,
    ),
  );
  const own = { noWrapEntrypoint: true };
  const scripted = aSidecar({ ...own, name: "b", command: undefined, commands: { script: "y" } });
  rejectsAll(
    { containers: [aBroker(), aSidecar({ ...own, commands: { servicePre: "y" } }), scripted] },
    errorsAt(
      ["containers[1].commands", "containers[2].commands"],
      "need a start script, which noWrapEntrypoint omits…",
    ),
  );
  const none = { commands: { init: undefined } };
  accepts({
    "commands of a sidecar that are undefined": {
      containers: [aBroker(), aSidecar({ command: undefined, ...none }), aSidecar({ name: "b", ...own, ...none })],
    },
    "a sidecar that runs its entrypoint": withSidecar({ command: undefined, ...own }),
  });
});

describe("the rules of containers on batch jobs", () => {
  rejects({
    "containers[0].batch: a batch job needs a command with its lines…": withBroker({ command: " \n", batch: true }),
    "containers[0].command: has 12501 jobs, more than a ConfigMap can hold…": withBroker({
      command: "# a\n\nx\n".concat("x\n".repeat(12_500)),
      batch: true,
    }),
    "containers[0].command: bash cannot parse it, line 2…": withBroker({ command: "# a \\\necho $(date", batch: true }),
    "containers[0].launcher: a launcher submits its own jobs…": withBroker({ launcher: true, batch: true }),
    "containers[0].batchRaw: requires batch; add batch: true or remove it": withBroker({ batchRaw: true }),
  });
  rejectsAll(withBroker({ command: undefined, batch: true, commands: { script: "x" } }), [
    "containers[0].commands.script: a batch job takes its script from command…",
    "containers[0].batch: a batch job needs a command with its lines; add command or remove batch",
  ]);
  accepts({
    "switches that are off": withBroker({ batch: false, batchRaw: false, launcher: true }),
    "many lines in one script": withBroker({ command: "x\n".repeat(12_501), batch: true, batchRaw: true }),
  });
});

describe("the rules of containers on code", () => {
  const finished = [
    "echo 'a b' \"c 'd'\" it\\'s # it's a comment",
    "cat <<-'EOF' && echo more\n\tit's (open\n\tEOF",
    "case a in a) echo 'x' ;; esac; for i in 1 2; do ((x = i)); done",
    "diff <(sort a) <(sort b) > out 2>&1 && (cd / && ls)",
    "echo one &&\n  mpirun -np 2 \\\n  lmp -v x 2",
  ];
  accepts(Object.fromEntries(finished.map((command) => [command, withBroker({ command })])));
  accepts({
    "a batch job in another language": withBroker({
      command: "#!/usr/bin/python3\nprint('(')",
      batch: true,
      batchRaw: true,
    }),
  });

  const refused = (line: number, message: string) => `bash cannot parse it, line ${line}: ${message}; correct it`;
  const unfinished: [text: string, line: number, message: string][] = [
    ["cat <<-E\n\t\tE\necho 'a", 3, "unterminated single quote"],
    ['true\necho "oops $(date)', 2, "unterminated double quote"],
    ["echo `date", 1, "unterminated backtick"],
    ["echo ${HOME", 1, "unterminated parameter expansion"],
    ["(cd /tmp", 1, "expected ')' to close subshell"],
    ["true\nif true; then ls", 2, "expected 'fi' to close 'if'"],
    ["echo a\necho b |", 2, "expected command after '|'"],
    ["echo a >", 1, "expected redirect target"],
    ["&& echo a", 1, "unexpected token '&&'"],
  ];
  for (const [text, line, message] of unfinished) {
    rejects({ [`containers[0].command: ${refused(line, message)}`]: withBroker({ command: text }) });
    rejects({
      [`containers[0].commands.script: ${refused(line, message)}`]: withBroker({
        command: undefined,
        commands: { script: text },
      }),
    });
  }

  it("agree with bash", () => {
    const isReadable = (text: string) => spawnSync("bash", ["-n"], { input: text }).status === 0;
    for (const text of finished) assert.ok(isReadable(text), text);
    for (const [text] of unfinished) assert.ok(!isReadable(text), text);
  });
});
