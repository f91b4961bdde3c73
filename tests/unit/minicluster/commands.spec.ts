import * as assert from "node:assert/strict";
import { connectCommand, diagnoseCommand, logsCommand } from "../../../provider/minicluster/commands";
import { aContainer, aMiniCluster } from "../../support/fixtures";

describe("a command for people", () => {
  const spec = aMiniCluster({ namespace: "hpc", containers: [aContainer({ name: "main" })] });
  const lead = "--selector job-name=demo,batch.kubernetes.io/job-completion-index=0";

  it("opens a shell on the lead broker, in the container that runs Flux", () =>
    assert.equal(
      connectCommand(spec),
      `kubectl exec --stdin --tty --namespace hpc $(kubectl get pod --namespace hpc ${lead} ` +
        "--field-selector status.phase=Running --output name) --container main -- " +
        "bash /etc/minicluster/config/flux-connect.sh",
    ));

  it("follows the log of the lead broker", () =>
    assert.equal(logsCommand(spec), `kubectl logs --namespace hpc ${lead} --container main --follow --tail -1`));

  it("shows why pods do not come up", () =>
    assert.equal(diagnoseCommand(spec), "kubectl describe job,pod --namespace hpc --selector job-name=demo"));
});
