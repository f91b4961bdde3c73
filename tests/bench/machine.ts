import { execFileSync } from "node:child_process";
import * as os from "node:os";
import { isDeepStrictEqual } from "node:util";
import packageJson from "../../package.json";
import { controllerRates, type RatesName } from "../sandbox/controlPlane/commands";
import { clusterBinaries } from "../sandbox/build/binaries";
import { engineSetup } from "../support/engineSetup";
import type { Surroundings } from "./figures";

/** The machine of the figures, at this moment. */
export async function surroundings(runs: number, rates: RatesName[] = []): Promise<Surroundings> {
  const { pulumi, plugins } = await engineSetup();
  const [cpu] = os.cpus();
  return {
    date: new Date().toISOString().slice(0, "2026-11-22".length),
    package: `${packageJson.version}, commit ${commit()}`,
    runs,
    machine: {
      cores: `${os.cpus().length}`,
      memory: `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
      CPU: cpu?.model.trim() ?? "unknown",
      "Node.js": process.version,
      "Pulumi CLI": pulumi.version,
      ...Object.fromEntries(plugins.map(({ name, version, kind }) => [`plugin ${name}`, `${version} (${kind})`])),
      ...(rates.length > 0 && { Kubernetes: await kubernetesVersion() }),
    },
    ...(rates.length > 0 && { rates: Object.fromEntries(rates.map((name) => [name, controllerRates[name]])) }),
  };
}

/** What a recording that goes on was taken on: one machine, on several days and with several commits perhaps. */
export function both(before: Surroundings | undefined, now: Surroundings): Surroundings {
  if (!before) return now;
  const same = ({ machine, rates }: Surroundings) => ({ machine, rates });
  if (!isDeepStrictEqual(same(before), same(now)))
    throw new Error(
      `it was recorded on another machine (${before.machine.CPU}), or with other versions: leave out --continue`,
    );
  const joined = (name: "date" | "package") => [...new Set([...before[name].split("; "), now[name]])].join("; ");
  return { ...now, date: joined("date"), package: joined("package") };
}

async function kubernetesVersion(): Promise<string> {
  const { apiServer } = await clusterBinaries();
  const [, version = ""] = /v(\S+)/.exec(execFileSync(apiServer, ["--version"], { encoding: "utf8" })) ?? [];
  return `${version}, on the same cores as the engine`;
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: __dirname,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  } catch {
    return "unknown";
  }
}
