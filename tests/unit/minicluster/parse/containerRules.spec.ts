import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterContainerArgs, MiniClusterVolumeArgs } from "../../../../provider";
import { aContainer, aMiniClusterArgs } from "../../../support/fixtures";
import { itAccepts, itRefuses, problemsOf } from "../../../support/problems";

/** The container that runs Flux, and a sidecar. */
const pair = (main: Partial<MiniClusterContainerArgs>, sidecar: Partial<MiniClusterContainerArgs> = {}) => ({
  containers: [aContainer({ runFlux: true, ...main }), aContainer({ name: "side", ...sidecar })],
});
const one = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });
const volumes = (main: MiniClusterVolumeArgs, sidecar: MiniClusterVolumeArgs) =>
  pair({ volumes: { data: main } }, { volumes: { data: sidecar } });

const onlySidecar = "is only for a container that does not run Flux; remove it or move it there";
const onlyBroker = "is only for the container that runs Flux; remove it or move it there";
const own = "is set by the component or by Kubernetes; choose another name";
const otherSource = "has another source in containers[0]; a volume has one source in a pod, so rename one of them";

describe("the rules of containers", () => {
  describe("on who runs Flux, and under which name", () => {
    itRefuses([
      {
        rule: "two containers of which none runs Flux",
        args: { containers: [aContainer({ name: "a" }), aContainer({ name: "b" })] },
        path: "containers",
        says: "0 containers run Flux; set runFlux: true on exactly one of them",
      },
      {
        rule: "a single container that does not run Flux",
        args: one({ name: "a", runFlux: false }),
        path: "containers",
        says: "0 containers run Flux; set runFlux: true on exactly one of them",
      },
      {
        rule: "two containers that run Flux",
        args: pair({}, { runFlux: true }),
        path: "containers",
        says: "2 containers run Flux; set runFlux: true on exactly one of them",
      },
      {
        rule: "a sidecar without a name",
        args: pair({}, { name: undefined }),
        path: "containers[1].name",
        says: "a container that does not run Flux needs a name; give it one",
      },
      {
        rule: "a sidecar that has the name of the cluster, which the container that runs Flux takes",
        args: pair({}, { name: "demo" }),
        path: "containers[1].name",
        says: '"demo" is the name of containers[0] too; rename one of them',
      },
      {
        rule: "a container that has the name of the view's",
        args: pair({ name: "flux-view" }),
        path: "containers[0].name",
        says: '"flux-view" is the name of flux.container too; rename one of them',
      },
      {
        rule: "a container that has the name that the view's was given",
        args: { flux: { container: { name: "side" } }, ...pair({}) },
        path: "containers[1].name",
        says: '"side" is the name of flux.container too; rename one of them',
      },
    ]);
    itAccepts({
      "a container called flux-view where there is no view": {
        flux: { container: { disable: true } },
        ...pair({ name: "flux-view" }),
      },
      "the container that runs Flux in second place": { containers: [...pair({}).containers].reverse() },
    });
  });

  describe("on commands", () => {
    itRefuses([
      {
        rule: "a script beside a command",
        args: one({ command: "x", commands: { script: "y" } }),
        path: "containers[0].commands.script",
        says: "script takes the place of command; give one of them",
      },
      {
        rule: "pullAlways beside imagePullPolicy",
        args: one({ pullAlways: true, imagePullPolicy: "Never" }),
        path: "containers[0].pullAlways",
        says: 'pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"',
      },
      {
        rule: "servicePre where Flux runs",
        args: one({ commands: { servicePre: "x" } }),
        path: "containers[0].commands.servicePre",
        says: onlySidecar,
      },
      ...(["prefix", "pre", "brokerPre", "workerPre"] as const).map((piece) => ({
        rule: `${piece} in a sidecar`,
        args: pair({}, { commands: { [piece]: "x" } }),
        path: `containers[1].commands.${piece}`,
        says: onlyBroker,
      })),
      {
        rule: "a launcher that is a sidecar",
        args: pair({}, { launcher: true }),
        path: "containers[1].launcher",
        says: onlyBroker,
      },
      {
        rule: "commands around a sidecar's own command",
        args: pair({}, { command: undefined, commands: { init: "x" } }),
        path: "containers[1].commands",
        says: "go around a command, and this container runs that of its image; add command or script",
      },
    ]);
    itAccepts({
      "every command of the container that runs Flux": one({
        commands: { prefix: "strace -f", init: "a", pre: "b", post: "c", brokerPre: "d", workerPre: "e" },
      }),
      "every command of a sidecar": pair({}, { commands: { init: "a", servicePre: "b", post: "c" } }),
      "commands of a sidecar that all say nothing": pair({}, { command: undefined, commands: { init: undefined } }),
    });
  });

  describe("on the environment", () => {
    itRefuses([
      ...["MINICLUSTER_SIZE", "JOB_COMPLETION_INDEX"].map((name) => ({
        rule: `${name} in the environment`,
        args: one({ environment: { [name]: "1" } }),
        path: `containers[0].environment.${name}`,
        says: own,
      })),
      {
        rule: "one of our variables from a Secret",
        args: one({ secrets: { MINICLUSTER_SIZE: { name: "s", key: "k" } } }),
        path: "containers[0].secrets.MINICLUSTER_SIZE",
        says: own,
      },
      {
        rule: "a variable that is both plain and from a Secret",
        args: one({ environment: { TOKEN: "a" }, secrets: { TOKEN: { name: "s", key: "k" } } }),
        path: "containers[0].secrets.TOKEN",
        says: "is in environment, too; keep one of them",
      },
    ]);
  });

  describe("on volumes", () => {
    itRefuses([
      ...["flux-view", "minicluster-config", "minicluster-curve"].map((name) => ({
        rule: `a volume called ${name}`,
        args: one({ volumes: { [name]: { emptyDir: true } } }),
        path: `containers[0].volumes["${name}"]`,
        says: "is the name of one of the component's own volumes; choose another name",
      })),
      {
        rule: "a volume on the Flux volume",
        args: one({ volumes: { data: { path: "/mnt/flux/data", claimName: "c" } } }),
        path: "containers[0].volumes.data.path",
        says: "/mnt/flux/data is on the Flux volume at /mnt/flux; choose another directory",
      },
      {
        rule: "a volume on a Flux volume that is written with a slash at its end",
        args: {
          flux: { container: { mountPath: "/flux/" } },
          ...one({ volumes: { data: { path: "/flux/data", claimName: "c" } } }),
        },
        path: "containers[0].volumes.data.path",
        says: "/flux/data is on the Flux volume at /flux/; choose another directory",
      },
      {
        rule: "two volumes at one path",
        args: one({ volumes: { a: { path: "/data", claimName: "a" }, b: { path: "/data", claimName: "b" } } }),
        path: "containers[0].volumes.b.path",
        says: '/data is the path of volume "a" too; choose another directory',
      },
      {
        rule: "two volumes at the default path",
        args: one({ volumes: { a: { emptyDir: true }, b: { emptyDir: true } } }),
        path: "containers[0].volumes.b.path",
        says: '/dev/shm is the path of volume "a" too; choose another directory',
      },
      {
        rule: "one volume name with two sources",
        args: volumes({ path: "/a", claimName: "a" }, { path: "/a", claimName: "b" }),
        path: "containers[1].volumes.data",
        says: otherSource,
      },
      {
        rule: "one volume name with two sizes",
        args: volumes({ emptyDir: true, emptyDirSizeLimit: "1Gi" }, { emptyDir: true, emptyDirSizeLimit: "2Gi" }),
        path: "containers[1].volumes.data",
        says: otherSource,
      },
      {
        rule: "one volume name with two choices of keys",
        args: volumes(
          { path: "/a", configMapName: "c", items: { a: "a" } },
          { path: "/a", configMapName: "c", items: { a: "b" } },
        ),
        path: "containers[1].volumes.data",
        says: otherSource,
      },
    ]);
    it("leave a path of the wrong type to the schema, without a word of their own", () => {
      const path = Object.create(null) as string;
      const wrong = { a: { path, claimName: "a" }, b: { path, claimName: "b" } };
      assert.deepEqual(
        problemsOf(aMiniClusterArgs(one({ volumes: wrong }))).map(({ propertyPath }) => propertyPath),
        ["containers[0].volumes.a.path", "containers[0].volumes.b.path"],
      );
    });
    itAccepts({
      "one volume at two paths, and once read-only": volumes(
        { path: "/a", claimName: "c" },
        { path: "/b", claimName: "c", readOnly: true },
      ),
      "one volume whose other sources are switched off": volumes(
        { path: "/a", claimName: "c", emptyDir: false },
        { path: "/a", claimName: "c" },
      ),
      "one volume whose sources are only known later": volumes(
        { path: "/a", configMapName: pulumi.output("a"), items: { a: pulumi.output("a") } },
        { path: "/a", configMapName: pulumi.output("b"), items: { a: pulumi.output("b") } },
      ),
      "a path that only looks as if it were on the Flux volume": one({
        volumes: { data: { path: "/mnt/flux-data", claimName: "c" } },
      }),
    });
  });
});
