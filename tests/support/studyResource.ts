import { StudyRuns } from "../../provider/server/study/runsResource";
import { secretOf } from "../../provider/server/study/secrets";
import type { Result } from "../../provider/study/parse/plan";
import { studySpec } from "./study";
import type { StudyServer } from "./studyServer";

export const urn = "urn:pulumi:dev::project::minicluster:index:Study$minicluster:index:StudyRuns::demo-runs";
const limits = { patienceMillis: 1_000, retryMillis: 5, onceMillis: 500, silentMillis: 1_000 };

/** A study of one application at two sizes. */
export const spec = studySpec({ sizes: [1, 2], repeats: 1, apps: { app: { command: "true" } } });

/** The resource, and what it has logged. */
export function aResource(changed: Partial<typeof limits> = {}) {
  const logged: string[] = [];
  const say = (text: string) => void logged.push(text);
  const resource = new StudyRuns({ ...limits, ...changed }, () => ({ info: say, warn: say, status: say }));
  return { resource, logged };
}

/** The inputs of the resource. */
export const inputsOf = ({ place }: Pick<StudyServer, "place">, of: object = spec, more: object = {}) => ({
  spec: of,
  namespace: place.namespace,
  jobName: place.jobName,
  connection: secretOf(place.cluster),
  ...more,
});

/** A place where no server is. */
export const nowhere = { place: { cluster: { kubeconfig: "{}" }, namespace: "default", jobName: "demo" } };

export type Outs = Record<string, unknown> & { results: Result[] };
