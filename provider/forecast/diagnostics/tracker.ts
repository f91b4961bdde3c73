import * as pulumi from "@pulumi/pulumi";
import type { ResizeInPlace } from "../../core/diagnostics/featureDiagnostics";
import { hasGroups, type LeadSpec, type MiniClusterSpec } from "../../core/parse/spec";
import { whenKnown, within } from "../../shared/deferred";
import type { MiniClusterForecast } from "../args";
import { type InstancePlan, planChanges, type ProgramSettings, withSettings, withSize } from "../parse/plan";
import {
  type Forecasted,
  forecastOf,
  type InstanceRead,
  type Owned,
  readAll,
  readSettings,
  unavailable,
} from "./forecast";

/** Milliseconds in which the settings are read. */
const patienceMillis = 5_000;

/** The changes of one update to the hosts of an instance, and their forecast. */
export class Tracker {
  private readonly resizes = new Map<string, ResizeInPlace>();
  private read: Promise<InstanceRead> | undefined;
  /** The settings of the programs before the update, which the engine replaces together with their ConfigMap. */
  private readonly settings: Promise<ProgramSettings | undefined>;
  private settle: (forecast: MiniClusterForecast) => void = () => undefined;
  /** The forecast, once the engine has come to all resources. */
  readonly forecast = new Promise<MiniClusterForecast>((resolve) => (this.settle = resolve));

  constructor(
    private readonly changed: Owned,
    private readonly home: Owned<LeadSpec>,
    /** The hosts of the instance after the update. */
    private readonly plan: InstancePlan,
  ) {
    // An update may remove the moves between the clusters of an instance.
    const mayMove = changed === home && plan.clusters.length > 1;
    const hasSettings = mayMove || changed.spec.autoscale !== undefined || hasGroups(changed.spec);
    this.settings = hasSettings
      ? within(patienceMillis, readSettings(changed), undefined).catch(() => undefined)
      : Promise.resolve(undefined);
    void this.before().then((before) => planChanges(before, plan).length > 0 && this.begin());
  }

  /** Records a resize of a Job. */
  noteResize({ name }: MiniClusterSpec, resize: ResizeInPlace): void {
    this.resizes.set(name, resize);
    this.begin();
  }

  /** Reads the queue while the engine goes on, so that an update does not wait and is not seen half done. */
  private begin(): void {
    this.read ??= readAll(this.home, this.changed).catch(() => undefined);
  }

  /** Forecasts the queue after the engine has come to some resources. A preview logs it. */
  async finish(resources: pulumi.Resource[]): Promise<void> {
    await Promise.all(resources.map(({ urn }) => whenKnown(urn)));
    const { lines, forecast } = await this.result();
    this.settle(forecast);
    if (!pulumi.runtime.isDryRun()) return;
    for (const line of lines) await pulumi.log.info(line, this.changed.component);
  }

  private async result(): Promise<Forecasted> {
    const before = await this.before();
    if (!this.read) return { lines: [], forecast: { status: "unchanged" } };
    const read = await this.read;
    try {
      return forecastOf({ before, after: this.plan, read, spec: this.changed.spec });
    } catch (error) {
      // No forecast fails an update.
      return unavailable((error as Error).message);
    }
  }

  /** The hosts of the instance before the update. */
  private async before(): Promise<InstancePlan> {
    const settings = await this.settings;
    const isLead = this.changed === this.home;
    const plan = settings ? withSettings(this.plan, settings, isLead) : this.plan;
    return [...this.resizes].reduce((sized, [name, { old }]) => withSize(sized, name, old), plan);
  }
}
