import { errorsAt, itValidates } from "../../../support/problems";
import { aBroker, aSidecar } from "../../../support/fixtures";

describe("the rules of containers on who runs Flux, and under which name", () => {
  itValidates([
    {
      name: "no container that runs Flux",
      args: { containers: [{ image: "i", command: "x", name: "a", runFlux: false }] },
      errors: ["containers: 0 containers run Flux; set runFlux: true on exactly one of them"],
    },
    {
      name: "two containers that run Flux",
      args: { containers: [aBroker(), aBroker({ name: "side" })] },
      errors: ["containers: 2 containers run Flux; set runFlux: true on exactly one of them"],
    },
    {
      name: "sidecars without a name, or with the name of another",
      args: {
        containers: [aBroker(), { image: "i", command: "x" }, { image: "i", command: "x", name: "demo" }],
      },
      errors: [
        "containers[1].name: a container that does not run Flux needs a name; give it one",
        'containers[2].name: "demo" is the name of containers[0] too; rename one of them',
      ],
    },
    {
      name: "a sidecar with the name of the view",
      args: {
        flux: { container: { name: "side" } },
        containers: [aBroker(), aSidecar()],
      },
      errors: ['containers[1].name: "side" is the name of flux.container too; rename one of them'],
    },
    {
      name: "a container named flux-view without a view",
      args: {
        flux: { container: { disable: true } },
        containers: [aBroker({ name: "flux-view" }), aSidecar()],
      },
    },
  ]);
});

describe("the rules of containers on commands", () => {
  itValidates([
    {
      name: "settings that exclude each other, and those of a sidecar",
      args: {
        containers: [
          {
            image: "i",
            command: "x",
            pullAlways: true,
            imagePullPolicy: "Never",
            noWrapEntrypoint: true,
            commands: { script: "y", servicePre: "x" },
          },
        ],
      },
      errors: [
        "containers[0].commands.script: script takes the place of command; give one of them",
        'containers[0].pullAlways: pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
        ...errorsAt(
          ["containers[0].commands.servicePre", "containers[0].noWrapEntrypoint"],
          "is only for a container that does not run Flux; remove it or move it there",
        ),
      ],
    },
    {
      name: "commands around the entrypoint of an image",
      args: { containers: [aBroker(), { image: "i", name: "side", commands: { init: "x" } }] },
      errors: [
        "containers[1].commands: require a command; this container uses its image's entrypoint: add command " +
          "or script",
      ],
    },
    {
      name: "settings of the container that runs Flux in a sidecar",
      args: {
        containers: [
          aBroker(),
          aSidecar({
            commands: { prefix: "", pre: "x", brokerPre: "x", workerPre: "x" },
            launcher: true,
            batch: true,
            batchRaw: true,
            logs: "/out",
          }),
        ],
      },
      errors: [
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
    },
    {
      name: "commands beside noWrapEntrypoint",
      args: {
        containers: [
          aBroker(),
          aSidecar({ noWrapEntrypoint: true, commands: { servicePre: "y" } }),
          { image: "i", name: "b", noWrapEntrypoint: true, commands: { script: "y" } },
        ],
      },
      errors: errorsAt(
        ["containers[1].commands", "containers[2].commands"],
        "need a start script, which noWrapEntrypoint leaves out; remove one of them",
      ),
    },
    {
      name: "commands of a sidecar that are undefined",
      args: {
        containers: [
          aBroker(),
          { image: "i", command: undefined, name: "side", commands: { init: undefined } },
          aSidecar({ name: "b", noWrapEntrypoint: true, commands: { init: undefined } }),
        ],
      },
    },
    {
      name: "a sidecar that runs its entrypoint",
      args: { containers: [aBroker(), { image: "i", name: "side", noWrapEntrypoint: true }] },
    },
  ]);
});

describe("the rules of containers on batch jobs", () => {
  itValidates([
    {
      name: "a batch job without lines",
      args: { containers: [{ image: "i", command: " \n", batch: true }] },
      errors: ["containers[0].batch: a batch job needs a command with its lines; add command or remove batch"],
    },
    {
      name: "a launcher that is a batch job",
      args: { containers: [{ image: "i", command: "x", launcher: true, batch: true }] },
      errors: ["containers[0].launcher: a launcher submits its own jobs; keep launcher or batch"],
    },
    {
      name: "batchRaw without batch",
      args: { containers: [{ image: "i", command: "x", batchRaw: true }] },
      errors: ["containers[0].batchRaw: requires batch; add batch: true or remove it"],
    },
    {
      name: "a batch job with a script in place of its command",
      args: { containers: [{ image: "i", batch: true, commands: { script: "x" } }] },
      errors: [
        "containers[0].commands.script: a batch job takes its script from command; move it there and set " +
          "batchRaw: true",
        "containers[0].batch: a batch job needs a command with its lines; add command or remove batch",
      ],
    },
    {
      name: "switches that are off",
      args: { containers: [{ image: "i", command: "x", batch: false, batchRaw: false, launcher: true }] },
    },
  ]);
});
