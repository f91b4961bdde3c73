import * as assert from "node:assert/strict";
import { renderBrokerConfig } from "../../../provider/minicluster/flux/brokerConfig";
import { brokerOptions } from "../../../provider/minicluster/flux/brokerOptions";
import { aMiniCluster } from "../../support/fixtures";
import { parseToml } from "../../support/scripts/toml";

/** The tables of a cluster's configuration. */
const config = async (args: Parameters<typeof aMiniCluster>[0] = {}) =>
  (await parseToml(renderBrokerConfig(aMiniCluster(args)))) as Record<string, unknown>;

describe("broker configuration", () => {
  it("is complete", async () => {
    assert.deepEqual(await config({ namespace: "people", size: 2, maxSize: 16 }), {
      access: { "allow-guest-user": true, "allow-root-owner": true },
      resource: { path: "/mnt/flux/config/etc/flux/system/R" },
      bootstrap: {
        curve_cert: "/mnt/flux/config/curve/curve.cert",
        default_port: 8050,
        default_bind: "tcp://eth0:%p",
        default_connect: "tcp://%h.demo.people.svc.cluster.local:%p",
        hosts: [{ host: "demo-[0-15]" }],
      },
      archive: {
        dbpath: "/mnt/flux/config/var/lib/flux/job-archive.sqlite",
        period: "1m",
        busytimeout: "50s",
      },
      "sched-fluxion-qmanager": { "queue-policy": "fcfs" },
    });
  });

  it("is the same text for every size of a cluster", () => {
    const texts = [1, 2, 7, 16].map((size) => renderBrokerConfig(aMiniCluster({ size, maxSize: 16 })));
    assert.equal(new Set(texts).size, 1);
  });

  it("has the queue policy that was asked for", async () => {
    const tables = await config({ flux: { scheduler: { queuePolicy: "easy" } } });
    assert.deepEqual(tables["sched-fluxion-qmanager"], { "queue-policy": "easy" });
  });

  it("has nothing of Fluxion with the simple scheduler", async () => {
    assert.ok(!("sched-fluxion-qmanager" in (await config({ flux: { scheduler: { simple: true } } }))));
  });

  it("follows the service's name and the shared volume's path, whatever they hold", async () => {
    const container = { mountPath: '/mnt/a "b" \\c' };
    const { bootstrap, resource } = await config({ network: { headlessName: "hosts" }, flux: { container } });
    assert.deepEqual(resource, { path: '/mnt/a "b" \\c/config/etc/flux/system/R' });
    assert.deepEqual(bootstrap, {
      curve_cert: '/mnt/a "b" \\c/config/curve/curve.cert',
      default_port: 8050,
      default_bind: "tcp://eth0:%p",
      default_connect: "tcp://%h.hosts.default.svc.cluster.local:%p",
      hosts: [{ host: "demo-0" }],
    });
  });

  it("grows by no line and no host entry with the cluster", () => {
    const lines = [1, 100_000].map((maxSize) => renderBrokerConfig(aMiniCluster({ maxSize })).split("\n").length);
    assert.equal(lines[0], lines[1]);
  });
});

describe("broker options", () => {
  it("are the same for every size of a cluster", () => {
    const all = [1, 2, 16].map((size) => brokerOptions(aMiniCluster({ size, maxSize: 16 })).join("\n"));
    assert.equal(new Set(all).size, 1);
  });

  it("keep to the paths of the configuration", () => {
    const options = brokerOptions(aMiniCluster({ flux: { container: { mountPath: "/data/flux" } } }));
    assert.ok(options.includes("-Srundir=/data/flux/config/run/flux"));
    assert.ok(options.includes("-Slocal-uri=local:///data/flux/config/run/flux/local"));
    assert.ok(options.includes("-Sstatedir=/data/flux/config/var/lib/flux"));
  });

  it("are named once each", () => {
    const flux = { topology: "binomial", wrap: "strace" };
    const names = brokerOptions(aMiniCluster({ flux, logging: { zeromq: true } })).map(
      (option) => option.split("=")[0],
    );
    assert.deepEqual(names, [...new Set(names)]);
  });
});
