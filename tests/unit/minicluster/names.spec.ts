import * as assert from "node:assert/strict";
import * as names from "../../../provider/minicluster/names";
import { configFile, files, sharedPaths } from "../../../provider/minicluster/paths";
import { aMiniCluster } from "../../support/fixtures";

describe("names", () => {
  const spec = aMiniCluster({ namespace: "hpc", size: 2, maxSize: 8, network: { headlessName: "hosts" } });

  it("of hosts are the pods' own, in the domain of the service", () => {
    assert.equal(names.podHostname(spec, 3), "demo-3");
    assert.equal(names.brokerDomain(spec), "hosts.hpc.svc.cluster.local");
    assert.equal(names.leadHost(spec), "demo-0.hosts.hpc.svc.cluster.local");
  });

  it("of all hosts go up to maxSize", () => assert.equal(names.clusterHostlist(spec), "demo-[0-7]"));

  it("of objects come from the cluster's, so that two clusters can share a namespace", () =>
    assert.deepEqual([names.secretName(spec), names.configMapName(spec)], ["demo-curve", "demo-entrypoint"]));

  it("of files fit a ConfigMap, and no container's files meet those of the component", () => {
    const own = [files.brokerConfig, files.view, files.environment, files.connect, files.broker, files.ready, "size"];
    const user = ["broker", "view", "flux-view", "flux-connect", "ready", "size"].flatMap((container) => [
      files.sidecar(container),
      files.user(container, "command"),
    ]);
    const all = [...own, ...user];
    assert.equal(new Set(all).size, all.length);
    for (const key of all) assert.match(key, /^[-._a-zA-Z0-9]+$/);
  });

  it("of paths on the shared volume are those that the Flux Operator's users know", () => {
    assert.equal(sharedPaths({ ...spec.flux.container, mountPath: "/flux" }).run, "/flux/config/run/flux");
    assert.equal(configFile(files.broker), "/etc/minicluster/config/broker.sh");
  });
});
