import { matchGolden } from "../../../support/golden";
import { sentManifests } from "../../../support/manifests";
import { scenarios } from "../../../support/scenarios";

const files: Record<keyof typeof scenarios, string> = {
  lammps: "lammps.yaml",
  interactiveSidecar: "interactive-sidecar.yaml",
  gpuVolumes: "gpu-volumes.yaml",
  armElastic: "arm-elastic.yaml",
};

describe("golden manifests", () => {
  for (const [scenario, file] of Object.entries(files))
    it(file, async () => {
      const { secret, ...others } = await sentManifests(scenarios[scenario as keyof typeof scenarios]);
      const standIn = { ...(secret as object), data: { "curve.cert": "(a stand-in for the certificate)" } };
      matchGolden(file, { secret: standIn, ...others });
    });
});
