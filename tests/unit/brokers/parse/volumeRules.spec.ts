import * as pulumi from "@pulumi/pulumi";
import { errorsAt, itValidates } from "../../../support/problems";
import { aBroker, aSidecar } from "../../../support/fixtures";

describe("the rules of containers on the environment", () => {
  itValidates([
    {
      name: "variables that the component sets, and duplicates in secrets",
      args: {
        flux: { environment: { FLUX_OUTPUT_DIR: "/out", MINICLUSTER_SIZE: "1" } },
        containers: [
          {
            image: "i",
            command: "x",
            environment: {
              MINICLUSTER_SIZE: "1",
              MINICLUSTER_LEAD: "a",
              JOB_COMPLETION_INDEX: "1",
              TOKEN: "a",
              FLUX_OUTPUT_DIR: "/out",
            },
            secrets: { MINICLUSTER_SIZE: { name: "s", key: "k" }, TOKEN: { name: "s", key: "k" } },
          },
        ],
      },
      errors: [
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
          "is in environment, too; keep one of them",
        ),
        "containers[0].environment.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there",
      ],
    },
    {
      name: "the output directory in a secret",
      args: { containers: [{ image: "i", command: "x", secrets: { FLUX_OUTPUT_DIR: { name: "s", key: "k" } } }] },
      errors: ["containers[0].secrets.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there"],
    },
    {
      name: "an output directory of a sidecar",
      args: {
        containers: [aBroker(), aSidecar({ environment: { FLUX_OUTPUT_DIR: "/out" } })],
      },
    },
  ]);
});

describe("the rules of containers on volumes", () => {
  itValidates([
    {
      name: "a volume of the component, and paths in use",
      args: {
        containers: [
          {
            image: "i",
            command: "x",
            volumes: {
              "minicluster-config": { emptyDir: true },
              data: { path: "/mnt/flux/data", claimName: "c" },
              b: { emptyDir: true },
            },
          },
        ],
      },
      errors: [
        'containers[0].volumes["minicluster-config"]: is the name of one of the component\'s own volumes; ' +
          "choose another name",
        "containers[0].volumes.data.path: /mnt/flux/data is on the Flux volume at /mnt/flux; choose another " +
          "directory",
        'containers[0].volumes.b.path: /dev/shm is the path of volume "minicluster-config" too; choose another ' +
          "directory",
      ],
    },
    {
      name: "a path in another directory of the Flux volume",
      args: {
        flux: { container: { mountPath: "/flux/" } },
        containers: [{ image: "i", command: "x", volumes: { data: { path: "/flux/data", claimName: "c" } } }],
      },
      errors: ["containers[0].volumes.data.path: /flux/data is on the Flux volume at /flux/; choose another directory"],
    },
    {
      name: "volumes of one name with two sources",
      args: {
        containers: [
          aBroker({
            volumes: {
              data: { path: "/a", claimName: "a" },
              c: { path: "/c", configMapName: "c", items: { a: "a" } },
            },
          }),
          aSidecar({
            volumes: {
              data: { path: "/a", claimName: "b" },
              c: { path: "/c", configMapName: "c", items: { a: "b" } },
            },
          }),
        ],
      },
      errors: errorsAt(
        ["containers[1].volumes.data", "containers[1].volumes.c"],
        "has another source in containers[0]; a volume has one source in a pod, so rename one of them",
      ),
    },
    {
      name: "one volume at two paths",
      args: {
        containers: [
          aBroker({ volumes: { data: { path: "/a", claimName: "c", emptyDir: false } } }),
          aSidecar({ volumes: { data: { path: "/b", claimName: "c", readOnly: true } } }),
        ],
      },
    },
    {
      name: "one volume with sources that are known later",
      args: {
        containers: [
          aBroker({
            volumes: { data: { path: "/a", configMapName: pulumi.output("x"), items: { a: pulumi.output("x") } } },
          }),
          aSidecar({
            volumes: { data: { path: "/a", configMapName: pulumi.output("x"), items: { a: pulumi.output("x") } } },
          }),
        ],
      },
    },
    {
      name: "a path that begins like that of the Flux volume",
      args: {
        containers: [{ image: "i", command: "x", volumes: { data: { path: "/mnt/flux-data", claimName: "c" } } }],
      },
    },
  ]);
});
