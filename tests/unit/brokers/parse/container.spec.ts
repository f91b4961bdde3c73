import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { isWithin, settleVolume, volume } from "../../../../provider/brokers/parse/container";
import { errorsAt, validating } from "../../../support/problems";
import { withBroker } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("a container", () => {
  rejects({ "containers: a cluster needs at least one container; add one": { containers: [] } });
  rejectsAll(
    {
      containers: [
        {
          image: " ",
          name: "Main",
          workingDir: "work",
          imagePullSecret: "a_b",
          ports: [80, 0],
          environment: { "a=b": "a" },
          secrets: { A: { name: "s" } as never },
          resources: { requests: { cpu: "four" } },
          volumes: { my_data: { emptyDir: true } },
          logs: "out",
        },
      ],
    },
    [
      'containers[0].image: " " must be a string that is not empty',
      'containers[0].name: "Main" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or ' +
        "digit at both ends",
      'containers[0].workingDir: "work" must be an absolute path such as "/data", without a colon',
      'containers[0].logs: "out" must be an absolute path such as "/data", without a colon',
      'containers[0].imagePullSecret: "a_b" must be the name of a Kubernetes object: a-z, 0-9, - and ., with a ' +
        "letter or digit at both ends",
      "containers[0].ports[1]: 0 must be an integer from 1 to 65535",
      'containers[0].environment["a=b"]: "a=b" must be the name of an environment variable: printable ASCII ' +
        'characters without "="',
      "containers[0].secrets.A.key: is required; must be a string that is not empty",
      'containers[0].resources.requests.cpu: "four" must be a Kubernetes quantity such as "4", "500m" or "8Gi", ' +
        'never "8GB"',
      'containers[0].volumes.my_data: "my_data" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a ' +
        "letter or digit at both ends",
    ],
  );
  rejectsAll(
    withBroker({
      command: "\u0000",
      lifeCycle: { postStartExec: " ", preStopExec: "a\u0000" },
      commands: { init: "\u0000", pre: "\u0000", post: "\u0000", brokerPre: "\u0000", workerPre: "\u0000" },
    }),
    [
      "containers[0].command: must not hold a NUL character",
      "containers[0].lifeCycle.postStartExec: needs a command; leave it out for none",
      "containers[0].lifeCycle.preStopExec: must not hold a NUL character",
      ...errorsAt(
        [
          "containers[0].commands.init",
          "containers[0].commands.pre",
          "containers[0].commands.post",
          "containers[0].commands.brokerPre",
          "containers[0].commands.workerPre",
        ],
        "must not hold a NUL character",
      ),
    ],
  );
});

describe("a volume", () => {
  rejectsAll(
    {
      containers: [
        {
          image: "i",
          volumes: { a: { path: "/a" }, b: { path: "/b", hostPath: "/x", claimName: "c" }, c: { configMapName: "x" } },
        },
      ],
    },
    [
      "containers[0].volumes.a.emptyDir: a volume needs a source: one of hostPath, configMapName, claimName, " +
        "secretName, emptyDir, localDisk, csiDriver",
      "containers[0].volumes.b.claimName: a volume has one source; keep hostPath or claimName",
      "containers[0].volumes.c.path: a volume needs a path, the directory in the container",
    ],
  );
  rejectsAll(
    {
      containers: [
        {
          image: "i",
          volumes: {
            a: { path: "/etc/minicluster", emptyDir: true },
            b: { path: "/opt/software/", emptyDir: true },
            c: { path: "data", emptyDir: true },
          },
        },
      ],
    },
    [
      "containers[0].volumes.a.path: /etc/minicluster is used by the component itself; choose another directory",
      "containers[0].volumes.b.path: /opt/software/ is used by the component itself; choose another directory",
      'containers[0].volumes.c.path: "data" must be an absolute path such as "/data", without a colon',
    ],
  );
  rejectsAll(
    {
      containers: [
        {
          image: "i",
          volumes: {
            data: {
              path: "/d",
              claimName: "c",
              items: { a: "b" },
              emptyDirMedium: "Memory",
              emptyDirSizeLimit: "1Gi",
              csiDriverAttributes: { a: "b" },
            },
          },
        },
      ],
    },
    [
      "containers[0].volumes.data.items: requires configMapName; add it or remove this",
      ...errorsAt(
        ["containers[0].volumes.data.emptyDirMedium", "containers[0].volumes.data.emptyDirSizeLimit"],
        "requires emptyDir; add it or remove this",
      ),
      "containers[0].volumes.data.csiDriverAttributes: requires csiDriver; add it or remove this",
    ],
  );
  accepts({
    "options that are undefined, and a source that is known later": {
      containers: [
        {
          image: "i",
          volumes: {
            data: { path: "/data", claimName: pulumi.output("x"), items: undefined, emptyDirMedium: undefined },
          },
        },
      ],
    },
  });

  it("is writable, and an emptyDir stands where MPI looks for shared memory", () => {
    const settled = { emptyDir: true, readOnly: false, source: "emptyDir", path: "/dev/shm" };
    assert.deepEqual(settleVolume(volume.parse({ emptyDir: true })), settled);
  });

  it("is within a directory that its path goes through, and in no other", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 2 });
    const path = fc.array(name, { minLength: 1, maxLength: 3 });
    const slash = fc.constantFrom("", "/");
    fc.assert(
      fc.property(path, path, slash, slash, (inner, outer, one, other) => {
        const want = outer.every((step, index) => inner[index] === step);
        assert.equal(isWithin(`/${inner.join("/")}${one}`, `/${outer.join("/")}${other}`), want);
      }),
      { seed: 1 },
    );
    assert.equal(isWithin(7, "/a"), false);
  });
});
