import * as pulumi from "@pulumi/pulumi";
import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aSidecar, withBroker } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the rules of containers on the environment", () => {
  rejects({
    "containers[0].secrets.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there": {
      containers: [{ image: "i", command: "x", secrets: { FLUX_OUTPUT_DIR: { name: "s", key: "k" } } }],
    },
  });
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
        secrets: { MINICLUSTER_SIZE: { name: "s", key: "k" }, TOKEN: { name: "s", key: "k" } },
      }),
    },
    [
      "flux.environment.MINICLUSTER_SIZE: is set by the component or by Kubernetes; choose another name",
      "flux.environment.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there",
      ...errorsAt(
        [
          "containers[0].environment.MINICLUSTER_SIZE",
          "containers[0].environment.MINICLUSTER_LEAD",
          "containers[0].environment.JOB_COMPLETION_INDEX",
        ],
        "is set by the component or by Kubernetes; choose another name",
      ),
      "containers[0].secrets.MINICLUSTER_SIZE: is set by the component or by Kubernetes; choose another name",
      ...errorsAt(
        ["containers[0].secrets.MINICLUSTER_SIZE", "containers[0].secrets.TOKEN"],
        "is also in environment; keep one of them",
      ),
      "containers[0].environment.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there",
    ],
  );
  accepts({
    "an output directory of a sidecar": {
      containers: [aBroker(), aSidecar({ environment: { FLUX_OUTPUT_DIR: "/out" } })],
    },
  });
});

describe("the rules of containers on volumes", () => {
  rejects({
    "containers[0].volumes.data.path: /flux/data is on the Flux volume at /flux/; choose another directory": {
      flux: { container: { mountPath: "/flux/" } },
      containers: [{ image: "i", command: "x", volumes: { data: { path: "/flux/data", claimName: "c" } } }],
    },
  });
  rejectsAll(
    withBroker({
      volumes: {
        "minicluster-config": { emptyDir: true },
        data: { path: "/mnt/flux/data", claimName: "c" },
        b: { emptyDir: true },
      },
    }),
    [
      'containers[0].volumes["minicluster-config"]: is the name of one of the component\'s own volumes; choose ' +
        "another name",
      "containers[0].volumes.data.path: /mnt/flux/data is on the Flux volume at /mnt/flux; choose another directory",
      'containers[0].volumes.b.path: /dev/shm is the path of volume "minicluster-config" too; choose another directory',
    ],
  );
  rejectsAll(
    {
      containers: [
        aBroker({
          volumes: { data: { path: "/a", claimName: "a" }, c: { path: "/c", configMapName: "c", items: { a: "a" } } },
        }),
        aSidecar({
          volumes: { data: { path: "/a", claimName: "b" }, c: { path: "/c", configMapName: "c", items: { a: "b" } } },
        }),
      ],
    },
    errorsAt(
      ["containers[1].volumes.data", "containers[1].volumes.c"],
      "has another source in containers[0]; a volume has one source in a pod, so rename one of them",
    ),
  );
  accepts({
    "one volume at two paths": {
      containers: [
        aBroker({ volumes: { data: { path: "/a", claimName: "c", emptyDir: false } } }),
        aSidecar({ volumes: { data: { path: "/b", claimName: "c", readOnly: true } } }),
      ],
    },
    "one volume with sources that are known later": {
      containers: [
        aBroker({
          volumes: { data: { path: "/a", configMapName: pulumi.output("x"), items: { a: pulumi.output("x") } } },
        }),
        aSidecar({
          volumes: { data: { path: "/a", configMapName: pulumi.output("x"), items: { a: pulumi.output("x") } } },
        }),
      ],
    },
    "a path that begins like that of the Flux volume": {
      containers: [{ image: "i", command: "x", volumes: { data: { path: "/mnt/flux-data", claimName: "c" } } }],
    },
  });
});
