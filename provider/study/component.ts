import * as pulumi from "@pulumi/pulumi";
import { checkCluster } from "../minicluster/cluster";
import { MiniCluster, workersOf } from "../minicluster/component";
import { childOptions } from "../shared/children";
import type { StudyArgs, StudyFailure } from "./args";
import { parseStudyArgs } from "./parse";
import { refuseOtherProvider, registerRuns } from "./register";

/**
 * Repeated runs of applications at several sizes, in one Flux instance. Runs with a result are not repeated, and a preview
 * shows which runs are new and why. If `pulumi up` ends early, the runs continue in the instance, and the next `pulumi up`
 * waits for them.
 */
export class Study extends pulumi.ComponentResource {
  /** Table with the median, smallest and largest figure, and the parallel efficiency, for each application and size. */
  readonly table!: pulumi.Output<string>;
  /** The runs as comma-separated values, with a heading. */
  readonly csv!: pulumi.Output<string>;
  /** The table and the runs as JSON, with the schema `study.schema.json` of the documentation. */
  readonly json!: pulumi.Output<string>;
  /** Plot of the figures over the sizes, as SVG. */
  readonly plot!: pulumi.Output<string>;
  /** Runs without a figure: failed runs, and runs in whose output the pattern found no number. */
  readonly failed!: pulumi.Output<StudyFailure[]>;
  /** Host hours of the jobs of the study, including failed attempts. Idle hosts do not count. */
  readonly nodeHours!: pulumi.Output<number>;
  /** Cost of these hours, by the prices at the time of each run. Only with a price of the pool. */
  readonly cost!: pulumi.Output<number | undefined>;

  constructor(name: string, args: StudyArgs, opts?: pulumi.ComponentResourceOptions) {
    const { spec: parsed, cluster, instance } = parseStudyArgs(name, args, checkCluster);
    refuseOtherProvider(name, instance, opts);
    const spec = { ...parsed, ...workersOf(instance) } as typeof parsed;
    super("minicluster:index:Study", name, {}, opts);
    const options = { ...childOptions(this, opts), dependsOn: opts?.dependsOn };
    const place = cluster ? new MiniCluster(name, cluster, options) : instance;
    const outputs = place && registerRuns(name, spec, place, options);
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}
