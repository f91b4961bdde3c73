import * as pulumi from "@pulumi/pulumi";
import { errorsAt, sharing, validating } from "../../../../support/problems";
import { aPool } from "../../../../support/fixtures";

describe("a pool with the static CPU policy", () => {
  const { accepts, rejectsAll } = validating(
    sharing({
      pool: aPool({ staticCpu: true }, { vcpus: 16, memoryMib: 65_536 }),
      flux: { container: { resources: { limits: { cpu: "500m", memory: "1Gi" } } } },
    }),
  );
  rejectsAll(
    {
      containers: [
        { image: "i", runFlux: true, resources: { limits: { cpu: "8" } } },
        { image: "i", name: "side-0", resources: { limits: { memory: "8Gi" } } },
      ],
      flux: {},
    },
    errorsAt(
      ["containers[0].resources.limits", "containers[1].resources.limits", "flux.container.resources.limits"],
      "pool hpc has the static CPU policy, which requires limits for cpu (whole CPUs) and memory on every container; " +
        "a node has 16 CPUs and 65536Mi, less what the kubelet and the system keep",
    ),
  );
  rejectsAll(
    {
      containers: [
        {
          image: "i",
          runFlux: true,
          resources: { limits: { cpu: "7500m", memory: "8Gi" }, requests: { cpu: "4", memory: "4Gi" } },
        },
      ],
    },
    [
      ...errorsAt(
        ["containers[0].resources.requests.cpu", "containers[0].resources.requests.memory"],
        "pool hpc has the static CPU policy, which requires a request equal to the limit; leave it out",
      ),
      "containers[0].resources.limits.cpu: the static CPU policy gives whole CPUs only; make it an integer",
    ],
  );
  accepts({
    "limits on every container, with equal requests": {
      containers: [
        {
          image: "i",
          runFlux: true,
          resources: { limits: { cpu: "8", memory: "8Gi" }, requests: { cpu: "8000m", memory: "8192Mi" } },
        },
        { image: "i", name: "side-0", resources: { limits: { cpu: "500m", memory: "1Gi" } } },
      ],
    },
    "amounts that are known later": {
      containers: [
        {
          image: "i",
          runFlux: true,
          resources: { limits: { cpu: pulumi.output("x"), memory: "8Gi" }, requests: { cpu: "7" } },
        },
      ],
    },
    "a view without limits that is an image volume": {
      flux: { container: { imageVolume: true } },
      containers: [{ image: "i", resources: { limits: { cpu: "8", memory: "8Gi" } } }],
    },
  });
});
