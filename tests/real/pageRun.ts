import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import * as yaml from "yaml";
import { buildMissing, executable } from "../sandbox/build/binaries";
import { kubectlModule, yamlModule } from "../sandbox/build/modules";
import { leftIn } from "../support/clusters";
import { engineEnvironment, engineSetup, makeHome, pluginSettings } from "../support/engineSetup";
import { ownPlugin } from "../support/plugin";
import { sharedCluster } from "../support/sandboxHooks";
import { changed, type Command, missing, stepsOn } from "../support/transcripts";
import { type Outcome, Shell } from "./shell";

/** A directory into which the transcript of each page is written. Default: none is written. */
const transcripts = process.env["MINICLUSTER_PAGES"];

/** Does what a page says, in order, in an empty directory and a namespace, and compares what the commands print. */
export async function runPage(page: string, section?: string): Promise<void> {
  const steps = stepsOn(page, section);
  assert.ok(
    steps.some((step) => step.kind === "command"),
    `${page} has no command to run`,
  );
  const { kubeconfigPath, newNamespace } = sharedCluster();
  const namespace = await newNamespace();
  const { directory, environment, plugins } = await prepare(kubeconfigPath, namespace);
  const transcript: string[] = [];
  const compare = (command: Command, outcome: Outcome) => {
    const output = outcome.output.replaceAll(namespace, "default");
    transcript.push(`$ ${command.text}`, output);
    check(command, { ...outcome, output });
  };
  const home = path.join(directory, "home");
  const shell = new Shell(home, environment);
  let [program, project] = ["", home];
  try {
    for (const step of steps) {
      if (step.kind === "command") {
        await shell.perform(step.command, compare);
        continue;
      }
      project = (await shell.run("pwd")).output.trim();
      if (step.kind === "file") fs.writeFileSync(path.join(project, step.name), step.text);
      else {
        program = step.kind === "program" ? step.yaml : changed(program, step.diff, step.place);
        const parsed = yaml.parse(program) as object;
        fs.writeFileSync(path.join(project, "Pulumi.yaml"), yaml.stringify({ ...parsed, plugins }));
        const selection = await shell.run("pulumi stack select --create dev");
        assert.equal(selection.status, 0, `${step.place}: ${selection.output}`);
      }
    }
    assert.deepEqual(await leftIn(namespace), []);
  } finally {
    shell.end();
    if (transcripts) fs.writeFileSync(path.join(transcripts, path.basename(page)), transcript.join("\n"));
    const last = new Shell(project, environment);
    await last.run("pulumi cancel --yes; pulumi destroy --yes --skip-preview");
    last.end();
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Compares what a command has printed with the page. It fails where the page has an error. */
function check(command: Command, { output, status }: Outcome): void {
  const fails = command.prints?.some((line) => line.trimStart().startsWith("error:")) ?? false;
  const lines = missing(command, output);
  if (!lines && (status !== 0) === fails) return;
  const problem = lines ? `The page has there:\n${lines.join("\n") || "(nothing more)"}` : `It ends with ${status}.`;
  assert.fail(`${command.place}: ${command.text}\n${output}\n${problem}`);
}

/** A home directory, and the programs that a reader has installed. */
async function prepare(kubeconfigPath: string, namespace: string) {
  const setup = await engineSetup();
  await buildMissing([kubectlModule, yamlModule]);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-page-"));
  const programs = {
    pulumi: setup.pulumi.path,
    kubectl: executable(kubectlModule, "kubectl"),
    "pulumi-language-yaml": executable(yamlModule, "pulumi-language-yaml"),
  };
  const bin = path.join(directory, "bin");
  fs.mkdirSync(bin);
  // Copies: the engine warns of the host of a language that is not beside it, as an installed one is.
  for (const [name, file] of Object.entries(programs))
    fs.copyFileSync(file, path.join(bin, name), fs.constants.COPYFILE_FICLONE);
  const kubeconfig = path.join(directory, "kubeconfig.yaml");
  const config = yaml.parse(fs.readFileSync(kubeconfigPath, "utf8")) as { contexts: { context: object }[] };
  for (const { context } of config.contexts) Object.assign(context, { namespace });
  fs.writeFileSync(kubeconfig, yaml.stringify(config), { mode: 0o600 });
  const home = makeHome(directory);
  const inherited = engineEnvironment(directory, kubeconfig);
  const environment = {
    ...inherited,
    HOME: home,
    PULUMI_HOME: path.join(home, ".pulumi"),
    PATH: [bin, inherited["PATH"]].join(path.delimiter),
  };
  return { directory, environment, plugins: pluginSettings(setup, ownPlugin()) };
}
