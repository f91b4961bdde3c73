import { type EksMachine, graviton, neverSpot, oneInterfacePerCard, wholeCores } from "./rows";

/** The machines made for HPC. The smaller sizes are the largest with cores left out, so all have the memory of the largest. */
export const hpcMachines: Record<string, EksMachine> = {
  "hpc6a.48xlarge": neverSpot(wholeCores(96, 384, 1)),
  "hpc6id.32xlarge": oneInterfacePerCard(neverSpot(wholeCores(64, 1024, 2))),
  "hpc7a.12xlarge": neverSpot(wholeCores(24, 768, 2)),
  "hpc7a.24xlarge": neverSpot(wholeCores(48, 768, 2)),
  "hpc7a.48xlarge": neverSpot(wholeCores(96, 768, 2)),
  "hpc7a.96xlarge": neverSpot(wholeCores(192, 768, 2)),
  "hpc7g.4xlarge": neverSpot(graviton(16, 128, 1)),
  "hpc7g.8xlarge": neverSpot(graviton(32, 128, 1)),
  "hpc7g.16xlarge": neverSpot(graviton(64, 128, 1)),
  "hpc8a.96xlarge": neverSpot(wholeCores(192, 768, 2)),
};
