import type { MiniClusterArgs } from "../../provider";
import { renderCurveCertificate } from "../../provider/core/parse/curveCertificate";
import { readData } from "./data";
import { operatorFlux } from "./fixtures";

/** A certificate from a key that is visibly not secret. */
export const standInCertificate = renderCurveCertificate("stand-in", Buffer.alloc(32, 5));

const given = readData<Record<string, MiniClusterArgs> & { everything: MiniClusterArgs }>("allClusters.yaml");

/** Arguments with every property that does not exclude another one. */
export const everything: MiniClusterArgs = {
  ...given.everything,
  flux: { ...given.everything.flux, curveCert: standInCertificate },
};

/** Clusters that give, between them, every property of the arguments. */
export const allClusters: Record<string, MiniClusterArgs> = { ...given, everything };

/** Typical clusters, for the tests that compare whole manifests. */
export const scenarios = readData<Record<string, MiniClusterArgs>>("scenarios.yaml");
const { customConfig } = scenarios;
customConfig!.flux = operatorFlux({
  ...customConfig!.flux,
  curveCert: renderCurveCertificate("site", Buffer.alloc(32, 9)),
});
