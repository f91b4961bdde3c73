import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { itBuilds, sentManifests, templateHash } from "../../../support/manifests";
import { valueAt } from "../../../support/propertyPaths";

type Service = Partial<MiniClusterContainerArgs>;

const services = (...all: Service[]) => ({
  services: all.map((service, index) => ({ image: "redis:7", name: `store-${index}`, ...service })),
});

const container = (index: number) => `servicesPod.spec.containers[${index}]`;
const config = "{name: minicluster-config, mountPath: /etc/minicluster/config, readOnly: true}";
const data = "{data: {path: /data, claimName: c}}";

describe("the pod of the services", () => {
  itBuilds(`
# passes on the user's settings of pods, but for what is the brokers' own, and lives as long as the cluster
{services: [{image: i, name: a}], flux: {arch: arm64}, gang: {schedulerName: fluence}, pod: {serviceAccountName: s, runtimeClassName: r, dnsPolicy: Default, nodeSelector: {pool: a}, tolerations: [{operator: Exists}], restartPolicy: Never}}
  servicesPod.spec: !has {serviceAccountName: s, runtimeClassName: r, dnsPolicy: Default, nodeSelector: {pool: a}, tolerations: [{operator: Exists}], restartPolicy: Always, schedulerName: !unset , affinity: !unset , initContainers: !unset }
  servicesPod.metadata.annotations["pulumi.com/skipAwait"]: !unset
# is not waited for where nothing is
{wait: none, services: [{image: i, name: a}]}
  servicesPod.metadata.annotations["pulumi.com/skipAwait"]: "true"
# starts its image's own command
services: [{image: i, name: a}]
  ${container(0)}: !has {command: !unset , volumeMounts: !unset }
  servicesPod.spec.volumes: !unset
# starts a script of ours around a command and around a script, and plain words alone unwrapped
services: [{image: i, name: a, command: serve}, {image: i, name: b, commands: {script: serve}}, {image: i, name: c, command: serve -x, noWrapEntrypoint: true}]
  ${container(0)}: !has {command: [bash, /etc/minicluster/config/a.start.sh], volumeMounts: [${config}]}
  ${container(1)}: !has {command: [bash, /etc/minicluster/config/b.start.sh], volumeMounts: [${config}]}
  ${container(2)}: !has {command: [serve, -x], volumeMounts: !unset }
  servicesPod.spec.volumes[0].name: minicluster-config
  servicesPod.spec.volumes[1]: !unset
# has volumes once, whoever mounts them, and none of the brokers'
services: [{image: i, name: a, command: x, volumes: ${data}}, {image: i, name: b, volumes: ${data}}]
|containers: [!broker {volumes: {other: {path: /x, claimName: x}}}]
  ${container(0)}.volumeMounts: [${config}, {name: data, mountPath: /data, readOnly: false}]
  servicesPod.spec.volumes[0].name: minicluster-config
  servicesPod.spec.volumes[1]: {name: data, persistentVolumeClaim: {claimName: c, readOnly: false}}
  servicesPod.spec.volumes[2]: !unset
`);
});

describe("the hashes of the services", () => {
  const hashes = async (args: Partial<MiniClusterArgs>) => {
    const { servicesPod } = await sentManifests({ ...services({}), ...args });
    const annotations = valueAt(servicesPod, "metadata.annotations") as Record<string, string>;
    return [annotations["minicluster/config-hash"], annotations["minicluster/environment-hash"]];
  };
  const started = services({ command: "serve --port 80" });
  const later = (value: string) => services({ environment: { TOKEN: pulumi.secret(value) } });

  it("change with their scripts, and not with those of the brokers, which they leave alone", async () => {
    const before = await hashes(started);
    assert.notDeepEqual(await hashes(services({ command: "other" })), before);
    assert.deepEqual(await hashes({ ...started, size: 2, maxSize: 9, tasks: 7 }), before);
    assert.equal(new Set([started, services({ command: "other" }), {}].map(templateHash)).size, 1);
  });

  it("change with a variable that is only known later, and not with one of the brokers", async () => {
    const before = await hashes(later("a"));
    assert.match(before[1] ?? "", /^[0-9a-f]{16}$/);
    assert.equal((await hashes(started))[1], undefined);
    assert.notDeepEqual(await hashes(later("b")), before);
    const broker = aContainer({ environment: { TOKEN: pulumi.output("x") } });
    assert.deepEqual(await hashes({ ...later("a"), containers: [broker] }), before);
  });
});
