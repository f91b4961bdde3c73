import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { isWithin, buildVolumeSpec, volume } from "../../../../provider/core/parse/container";
import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aSidecar, withBroker } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();
const withVolumes = (volumes: object) => ({ containers: [{ image: "i", volumes: volumes as never }] });

describe("a container", () => {
  rejects({ "containers: a cluster needs at least one container; add one": { containers: [] } });
  rejectsAll(
    withBroker({
      image: " ",
      name: "Main",
      workingDir: "work",
      imagePullSecret: "a_b",
      ports: [80, 0],
      logs: "out",
      environment: { "a=b": "a" },
      secrets: { A: { name: "s" } as never },
      resources: { requests: { cpu: "four" } },
      volumes: { my_data: { emptyDir: true } },
    }),
    [
      'containers[0].image: " " must be a string that is not empty',
      'containers[0].name: "Main" must be a lowercase DNS label…',
      'containers[0].workingDir: "work" must be an absolute path such as "/data", without a colon',
      'containers[0].logs: "out" must be an absolute path…',
      'containers[0].imagePullSecret: "a_b" must be the name of a Kubernetes object…',
      "containers[0].ports[1]: 0 must be an integer from 1 to 65535",
      'containers[0].environment["a=b"]: "a=b" must be the name of an environment variable…',
      "containers[0].secrets.A.key: is required; must be a string that is not empty",
      'containers[0].resources.requests.cpu: "four" must be a Kubernetes quantity such as "4"…',
      'containers[0].volumes.my_data: "my_data" must be a lowercase DNS label…',
    ],
  );
  const pieces = ["init", "pre", "post", "brokerPre", "workerPre"];
  rejectsAll(
    withBroker({
      command: "\u0000",
      lifeCycle: { postStartExec: " ", preStopExec: "a\u0000" },
      commands: Object.fromEntries(pieces.map((piece) => [piece, "\u0000"])),
    }),
    [
      "containers[0].command: must not hold a NUL character",
      "containers[0].lifeCycle.postStartExec: needs a command; leave it out for none",
      "containers[0].lifeCycle.preStopExec: must not hold a NUL character",
      ...errorsAt(
        pieces.map((piece) => `containers[0].commands.${piece}`),
        "must not hold a NUL character",
      ),
    ],
  );
});

describe("a volume", () => {
  const at = "containers[0].volumes";
  rejectsAll(
    withVolumes({ a: { path: "/a" }, b: { path: "/b", hostPath: "/x", claimName: "c" }, c: { configMapName: "x" } }),
    [
      `${at}.a.emptyDir: a volume needs a source: one of hostPath, configMapName, claimName, …, localDisk, csiDriver`,
      `${at}.b.claimName: a volume has one source; keep hostPath or claimName`,
      `${at}.c.path: a volume needs a path, the directory in the container`,
    ],
  );
  rejectsAll(
    withVolumes({ a: { path: "/etc/minicluster", emptyDir: true }, b: { path: "/opt/software/", emptyDir: true } }),
    [
      `${at}.a.path: /etc/minicluster is used by the component itself; choose another directory`,
      `${at}.b.path: /opt/software/ is used by the component itself; choose another directory`,
    ],
  );
  rejectsAll(
    withVolumes({
      data: {
        path: "d",
        claimName: "c",
        items: { a: "b" },
        csiDriverAttributes: { a: "b" },
        emptyDirMedium: "Memory",
        emptyDirSizeLimit: "1Gi",
        localDiskSize: "1Gi",
      },
    }),
    [
      `${at}.data.path: "d" must be an absolute path such as "/data", without a colon`,
      `${at}.data.items: requires configMapName; add it or remove this`,
      `${at}.data.emptyDirMedium: requires emptyDir; add it or remove this`,
      `${at}.data.emptyDirSizeLimit: requires emptyDir; add it or remove this`,
      `${at}.data.localDiskSize: requires localDisk; add it or remove this`,
      `${at}.data.csiDriverAttributes: requires csiDriver; add it or remove this`,
    ],
  );
  accepts({
    "options that are undefined, and a source that is known later": withVolumes({
      data: { path: "/data", claimName: pulumi.output("x"), items: undefined, emptyDirMedium: undefined },
    }),
  });

  it("is writable, and an emptyDir is mounted at /dev/shm", () => {
    const settled = { emptyDir: true, readOnly: false, source: "emptyDir", path: "/dev/shm" };
    assert.deepEqual(buildVolumeSpec(volume.parse({ emptyDir: true })), settled);
  });

  it("is within a directory that its path goes through, and in no other", () => {
    const within = {
      "/a /a": true,
      "/a/b /a/": true,
      "/a/ /a": true,
      "/ab /a": false,
      "/a /a/b": false,
      "/b/a /a": false,
    };
    for (const [paths, want] of Object.entries(within))
      assert.equal(isWithin(...(paths.split(" ") as [string, string])), want, paths);
    assert.equal(isWithin(7, "/a"), false);
  });
});

describe("the rules of containers on the environment", () => {
  const [ours, logs] = [
    "is set by the component or by Kubernetes; choose another name",
    "is set by logs of the container…",
  ];
  const key = { name: "s", key: "k" };
  rejects({ [`containers[0].secrets.FLUX_OUTPUT_DIR: ${logs}`]: withBroker({ secrets: { FLUX_OUTPUT_DIR: key } }) });
  rejectsAll(
    {
      flux: { environment: { FLUX_OUTPUT_DIR: "/out", MINICLUSTER_SIZE: "1" } },
      ...withBroker({
        environment: {
          MINICLUSTER_SIZE: "1",
          MINICLUSTER_LEAD: "a",
          JOB_COMPLETION_INDEX: "1",
          TOKEN: "a",
          FLUX_OUTPUT_DIR: "/out",
        },
        secrets: { MINICLUSTER_SIZE: key, TOKEN: key },
      }),
    },
    [
      `flux.environment.MINICLUSTER_SIZE: ${ours}`,
      `flux.environment.FLUX_OUTPUT_DIR: ${logs}`,
      ...errorsAt(
        ["MINICLUSTER_SIZE", "MINICLUSTER_LEAD", "JOB_COMPLETION_INDEX"].map(
          (name) => `containers[0].environment.${name}`,
        ),
        ours,
      ),
      `containers[0].secrets.MINICLUSTER_SIZE: ${ours}`,
      "containers[0].secrets.MINICLUSTER_SIZE: is also in environment; keep one of them",
      "containers[0].secrets.TOKEN: is also in environment; keep one of them",
      `containers[0].environment.FLUX_OUTPUT_DIR: ${logs}`,
    ],
  );
  accepts({
    "an output directory of a sidecar": {
      containers: [aBroker(), aSidecar({ environment: { FLUX_OUTPUT_DIR: "/out" } })],
    },
  });
});

describe("the rules of containers on volumes", () => {
  const late = () => ({ data: { path: "/a", configMapName: pulumi.output("x"), items: { a: pulumi.output("x") } } });
  const both = (one: object, other: object) => ({
    containers: [aBroker({ volumes: one as never }), aSidecar({ volumes: other as never })],
  });
  rejects({
    "containers[0].volumes.data.path: /flux/data is on the Flux volume at /flux/; choose another directory": {
      flux: { container: { mountPath: "/flux/" } },
      ...withVolumes({ data: { path: "/flux/data", claimName: "c" } }),
    },
  });
  const volumes = { "minicluster-config": { emptyDir: true }, data: { path: "/mnt/flux/data", claimName: "c" } };
  rejectsAll(withVolumes({ ...volumes, b: { emptyDir: true } }), [
    'containers[0].volumes["minicluster-config"]: is the name of one of the component\'s own volumes…',
    "containers[0].volumes.data.path: /mnt/flux/data is on the Flux volume at /mnt/flux; choose another directory",
    'containers[0].volumes.b.path: /dev/shm is also the path of volume "minicluster-config"; choose another directory',
  ]);
  const of = (claimName: string, a: string) => ({
    data: { path: "/a", claimName },
    c: { path: "/c", configMapName: "c", items: { a } },
  });
  rejectsAll(
    both(of("a", "a"), of("b", "b")),
    errorsAt(["containers[1].volumes.data", "containers[1].volumes.c"], "has another source in containers[0]…"),
  );
  accepts({
    "one volume at two paths": both(
      { data: { path: "/a", claimName: "c", emptyDir: false } },
      { data: { path: "/b", claimName: "c", readOnly: true } },
    ),
    "one volume with sources that are known later": both(late(), late()),
    "a path that begins like that of the Flux volume": withVolumes({
      data: { path: "/mnt/flux-data", claimName: "c" },
    }),
  });
});
