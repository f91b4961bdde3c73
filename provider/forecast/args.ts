/** The forecast of a cluster's queue. */
export interface ForecastArgs {
  /**
   * Whether a preview reads the queue of the running instance and logs what the change does to the jobs, and whether the console
   * shows when waiting jobs are expected to start. The pod of the lead broker then has the program that reads the queue. Default: true.
   */
  forecast?: boolean;
}
