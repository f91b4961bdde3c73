import * as assert from "node:assert/strict";
import { unknownProperty } from "../../../provider/shared/checks";

describe("the message for an unknown property", () => {
  const table: [key: string, names: string[], want: string][] = [
    ["pullAlways", ["image", "imagePullPolicy"], 'pullAlways is now imagePullPolicy: "Always"'],
    ["pullAlways", ["mountPath"], "unknown property; correct its name or remove it"],
  ];
  for (const [key, names, want] of table)
    it(`names what to write instead of ${key} among ${names.join(", ")}`, () =>
      assert.equal(unknownProperty(key, names), want));
});

describe("the message for a property by its name in Kubernetes", () => {
  const container = ["environment", "volumes", "lifeCycle", "imagePullSecret", "secrets"];
  const volume = ["path", "hostPath", "claimName", "configMapName", "secretName", "csiDriver", "emptyDirMedium"];
  const cluster = ["pod", "podTemplate", "deadlineSeconds", "jobLabels"];
  const table: [names: string[], meant: Record<string, string>][] = [
    [container, { env: "environment", envFrom: "environment", volumeMounts: "volumes", lifecycle: "lifeCycle" }],
    [["postStartExec", "preStopExec"], { postStart: "postStartExec", preStop: "preStopExec" }],
    [
      volume,
      { mountPath: "path", pvc: "claimName", configMap: "configMapName", secret: "secretName", csi: "csiDriver" },
    ],
    [cluster, { labels: "pod", serviceAccountName: "pod", initContainers: "podTemplate" }],
    [cluster, { activeDeadlineSeconds: "deadlineSeconds" }],
  ];
  for (const [names, meant] of table)
    for (const [key, name] of Object.entries(meant))
      it(`names ${name} for ${key}`, () =>
        assert.equal(unknownProperty(key, names), `unknown property; did you mean ${name}?`));
});
