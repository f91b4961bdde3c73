import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import { moduleDirectory, monitorsModule } from "../sandbox/build/modules";
import type { Kube, NewObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";

/** Installs the Prometheus Operator's definition of PodMonitors, and waits until the API server has it. */
export async function installPodMonitors(kube: Kube): Promise<void> {
  const command = ["mod", "download", "-json", "github.com/prometheus-operator/prometheus-operator"];
  const { Dir } = JSON.parse(
    execFileSync("go", command, { cwd: moduleDirectory(monitorsModule), encoding: "utf8" }),
  ) as { Dir: string };
  const file = path.join(Dir, "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml");
  await kube.create(parse(fs.readFileSync(file, "utf8")) as NewObject);
  await waitFor("PodMonitors", () => kube.request("GET", "/apis/monitoring.coreos.com/v1").then(() => true));
}
