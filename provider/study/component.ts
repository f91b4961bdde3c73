import * as pulumi from "@pulumi/pulumi";
import { admissionRules } from "../brokers/diagnostics/admission";
import { MiniCluster } from "../minicluster/component";
import { childOptions } from "../shared/children";
import type { StudyArgs, StudyFailure } from "./args";
import { parseStudyArgs } from "./parse";
import { registerRuns } from "./register";

/**
 * Applications at several sizes, each repeated, in one Flux instance. A run with a result stays, and a preview shows which of them
 * are new and why. The runs go on in the instance when `pulumi up` ends early, and the next one continues with them.
 */
export class Study extends pulumi.ComponentResource {
  /** Table of the cells: median, least and largest figure, and parallel efficiency. */
  readonly table!: pulumi.Output<string>;
  /** The runs as comma-separated values, with a heading. */
  readonly csv!: pulumi.Output<string>;
  /** The cells and runs as JSON, which `study.schema.json` of the documentation describes. */
  readonly json!: pulumi.Output<string>;
  /** Plot of the figures over the sizes, as SVG. */
  readonly plot!: pulumi.Output<string>;
  /** Runs without a figure: those that failed, and those whose pattern has found no number. */
  readonly failed!: pulumi.Output<StudyFailure[]>;
  /** Hours of hosts that the jobs of the study have taken, failed attempts included. Hosts that were idle do not count. */
  readonly nodeHours!: pulumi.Output<number>;
  /** What these have cost, by the prices at the time of each run. Only with `pricePerHour` of the pool. */
  readonly cost!: pulumi.Output<number | undefined>;

  constructor(name: string, args: StudyArgs, opts?: pulumi.ComponentResourceOptions) {
    const { spec, cluster, instance } = parseStudyArgs(name, args, admissionRules);
    super("minicluster:index:Study", name, {}, opts);
    const options = { ...childOptions(this, opts), dependsOn: opts?.dependsOn };
    const place = cluster ? new MiniCluster(name, cluster, options) : instance;
    const outputs = place && registerRuns(name, spec, place, options);
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}
