import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aSidecar, withBroker, withSidecar } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the rules of containers on who runs Flux, and under which name", () => {
  rejects({
    "containers: 0 containers run Flux; set runFlux: true on exactly one of them": {
      containers: [{ image: "i", command: "x", name: "a", runFlux: false }],
    },
    "containers: 2 containers run Flux; set runFlux: true on exactly one of them": {
      containers: [aBroker(), aBroker({ name: "side" })],
    },
    'containers[1].name: "side" is the name of flux.container too; rename one of them': {
      flux: { container: { name: "side" } },
      containers: [aBroker(), aSidecar()],
    },
  });
  rejectsAll({ containers: [aBroker(), { image: "i", command: "x" }, { image: "i", command: "x", name: "demo" }] }, [
    "containers[1].name: a container that does not run Flux needs a name; give it one",
    'containers[2].name: "demo" is the name of containers[0] too; rename one of them',
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
    "containers[1].commands: require a command; this container uses its image's entrypoint: add command or script": {
      containers: [aBroker(), { image: "i", name: "side", commands: { init: "x" } }],
    },
  });
  rejectsAll(
    withBroker({
      pullAlways: true,
      imagePullPolicy: "Never",
      noWrapEntrypoint: true,
      commands: { script: "y", servicePre: "x" },
    }),
    [
      "containers[0].commands.script: script takes the place of command; give one of them",
      'containers[0].pullAlways: pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
      ...errorsAt(
        ["containers[0].commands.servicePre", "containers[0].noWrapEntrypoint"],
        "is only for a container that does not run Flux; remove it or move it there",
      ),
    ],
  );
  rejectsAll(
    withSidecar({
      commands: { prefix: "", pre: "x", brokerPre: "x", workerPre: "x" },
      launcher: true,
      batch: true,
      batchRaw: true,
      logs: "/out",
    }),
    [
      ...errorsAt(
        [
          "containers[1].commands.prefix",
          "containers[1].commands.pre",
          "containers[1].commands.brokerPre",
          "containers[1].commands.workerPre",
        ],
        "is only for the container that runs Flux; remove it or move it there",
      ),
      ...errorsAt(
        ["containers[1].launcher", "containers[1].batch", "containers[1].batchRaw", "containers[1].logs"],
        "is only for the container that runs Flux; remove it or move it there",
      ),
    ],
  );
  rejectsAll(
    {
      containers: [
        aBroker(),
        aSidecar({ noWrapEntrypoint: true, commands: { servicePre: "y" } }),
        { image: "i", name: "b", noWrapEntrypoint: true, commands: { script: "y" } },
      ],
    },
    errorsAt(
      ["containers[1].commands", "containers[2].commands"],
      "need a start script, which noWrapEntrypoint leaves out; remove one of them",
    ),
  );
  accepts({
    "commands of a sidecar that are undefined": {
      containers: [
        aBroker(),
        { image: "i", command: undefined, name: "side", commands: { init: undefined } },
        aSidecar({ name: "b", noWrapEntrypoint: true, commands: { init: undefined } }),
      ],
    },
    "a sidecar that runs its entrypoint": {
      containers: [aBroker(), { image: "i", name: "side", noWrapEntrypoint: true }],
    },
  });
});

describe("the rules of containers on batch jobs", () => {
  rejects({
    "containers[0].batch: a batch job needs a command with its lines; add command or remove batch": {
      containers: [{ image: "i", command: " \n", batch: true }],
    },
    "containers[0].launcher: a launcher submits its own jobs; keep launcher or batch": {
      containers: [{ image: "i", command: "x", launcher: true, batch: true }],
    },
    "containers[0].batchRaw: requires batch; add batch: true or remove it": {
      containers: [{ image: "i", command: "x", batchRaw: true }],
    },
  });
  rejectsAll({ containers: [{ image: "i", batch: true, commands: { script: "x" } }] }, [
    "containers[0].commands.script: a batch job takes its script from command; move it there and set batchRaw: true",
    "containers[0].batch: a batch job needs a command with its lines; add command or remove batch",
  ]);
  accepts({
    "switches that are off": {
      containers: [{ image: "i", command: "x", batch: false, batchRaw: false, launcher: true }],
    },
  });
});
