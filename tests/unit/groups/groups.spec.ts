import assert from "node:assert/strict";
import { type MiniClusterArgs, MiniClusterPodSecurity, MiniClusterTaintEffect } from "../../../provider";
import { renderConfigFiles } from "../../../provider/core/flux/configFiles";
import { clusterHostlist, diagnoseCommand } from "../../../provider/core/flux/hosts";
import { allManifests } from "../../support/specs";
import { queueLabel } from "../../../provider/gang/names";
import { randomCertificate } from "../../../provider/core/register/certificate";
import {
  aBurstCluster,
  aBurstClusterArgs,
  aBursting,
  aLead,
  aPlan,
  aPool,
  aRoot,
  operatorFlux,
} from "../../support/fixtures";
import { sentFor, standInKey } from "../../support/manifests";
import type { PlainPod } from "../../support/pod";
import { valueAt } from "../../support/propertyPaths";
import { aGkePool, aKarpenterPool, aksPool, anEksPool } from "../clouds/nodes/fixtures";
import { burstProblemsOf, described, errorsAt, problemsOf, validating } from "../../support/problems";

/** A cluster without a command and with a separate lead broker. */
const separate = (args: object) => ({ name: "lab", interactive: true, containers: [{ image: "i" }], ...args });
const aLab = (args: Partial<MiniClusterArgs>) => aLead(separate(args));

describe("the arguments of a cluster with groups", () => {
  const { rejectsAll, accepts } = validating<object>((args) => problemsOf(separate(args)));

  accepts({
    "lead alone": { lead: {} },
    "groups alone": { groups: { cpu: {} } },
    "a group at 0": { groups: { cpu: { size: 0, maxSize: 4 }, gpu: { autoscale: { max: 3 } } } },
    "autoscale.min 0 with lead": { lead: {}, autoscale: { min: 0, max: 3 } },
    "groups beside clusters that join": { groups: { cpu: {} }, bursting: aBursting() },
  });
  const imaged = (image?: string) => ({ autoscale: { max: 3, image } });
  rejectsAll({ groups: { cpu: imaged("a"), fixed: { size: 1 }, gpu: imaged("b"), last: imaged() } }, [
    "groups.gpu.autoscale.image: all groups have one agent; set the same image as in groups.cpu, or none in both",
    "groups.last.autoscale.image: all groups have one agent; set the same image as in groups.cpu, or none in both",
  ]);
  rejectsAll({ groups: {} }, ["groups: needs at least one group; add one, or remove groups"]);
  rejectsAll({ groups: { 0: {}, A_b: {} } }, [
    'groups["0"]: "0" must be a lowercase DNS label that starts with a letter: at most 63 of a-z, 0-9 and -',
    'groups.A_b: "A_b" must be a lowercase DNS label that starts with a letter: at most 63 of a-z, 0-9 and -',
  ]);
  rejectsAll({ lead: true, groups: { cpu: null } }, [
    "lead: is a boolean; must be an object with properties",
    "groups.cpu: is null; must be an object with properties",
  ]);
  rejectsAll(
    { size: 2, maxSize: 3, autoscale: { max: 3 }, groups: { cpu: {} } },
    ["size", "maxSize", "autoscale"].map((key) => `${key}: is separate for each group; set groups.NAME.${key}`),
  );
  rejectsAll({ interactive: false, containers: [{ image: "i", command: "a" }], minSize: 1, suspend: true, lead: {} }, [
    "containers[0].command: a separate lead broker runs no command; …",
    "minSize: waits for brokers before a command starts, …",
    "suspend: is not supported with lead and groups; …",
  ]);
  const flux = { minimalService: true, topology: "kary:2", completeWorkers: true, scheduler: { simple: true } };
  rejectsAll({ lead: {}, flux: operatorFlux({ ...flux, brokerConfig: "[a]" }) }, [
    "flux.topology: only the lead broker has an address with minimalService; …",
    "flux.brokerConfig: …",
    "flux.minimalService: …",
    "flux.topology: brokers of a group must not depend on brokers of another group; …",
    "flux.completeWorkers: …",
    "flux.scheduler.simple: …",
  ]);
  rejectsAll({ groups: { cloud: {} }, bursting: { ...aBursting(), spanClusters: true } }, [
    'groups.cloud: "cloud" is also the name of a cluster in bursting.clusters; rename one of them',
    "bursting.spanClusters: removes the queues, and each group has a queue; remove it",
  ]);
  const shared = { image: "s", name: "web", runFlux: false, ports: [80], serviceName: "web" };
  const containers = [{ image: "i", runFlux: true }, shared];
  rejectsAll({ groups: { a: { containers }, b: { containers } } }, [
    'groups.b.containers[1].serviceName: "web" conflicts with the Service of a container of groups.a; …',
  ]);
  rejectsAll({ containers, groups: { a: {}, b: {} } }, [
    "containers[1].serviceName: would be a Service of several groups…",
  ]);
  rejectsAll({ autoscale: { min: 0, max: 3 } }, ["autoscale.min: 0 would remove pod 0, which runs the lead broker; …"]);
  rejectsAll({ name: "n".repeat(50), groups: { abcdefghijklm: {} } }, ["name: the host name … shorten name by 3"]);
  rejectsAll(
    {
      groups: {
        a: { size: 3, maxSize: 2, gpus: 2 },
        b: { maxSize: 2, autoscale: { max: 3 } },
        c: { gang: { queueName: "q" }, autoscale: { max: 3 } },
        d: { gang: { native: {} } },
      },
    },
    [
      "groups.a.size: size 3 is above maxSize 2; raise maxSize or lower size",
      "groups.a.gpus: requires cores or pool; add one of them",
      "groups.b.autoscale.max: max 3 is above maxSize 2; raise maxSize or lower max",
      "groups.c.autoscale.min: 0 suspends the Job, which only Kueue may do…",
      "groups.d.gang.native: schedules the pods of a whole instance together, and workers join separately; remove it",
    ],
  );

  it("are checked as each Job has them, and each issue is at the argument that it comes from", () => {
    const wrong = { podTemplate: { spec: { hostNetwork: true } } };
    const message = "podTemplate.spec.hostNetwork: a pod on its node's network has the node's name, …";
    const paths = (args: object) =>
      described(problemsOf(separate(args))).map((text) => text.replace(/name, .*/, "name, …"));
    assert.deepEqual(paths({ lead: wrong }), [`lead.${message}`]);
    assert.deepEqual(paths({ groups: { gpu: wrong } }), [`groups.gpu.${message}`]);
    // The lead broker's pod has no template of the workers.
    assert.deepEqual(paths({ lead: {}, ...wrong }), [message]);
    const selector = { nodeSelector: { "a b": "c" } };
    const admitted = described(problemsOf(separate({ lead: selector, groups: { gpu: { pod: selector } } })));
    assert.deepEqual(
      admitted.map((text) => text.split(":")[0]),
      ['lead.nodeSelector["a b"]', 'groups.gpu.pod.nodeSelector["a b"]'],
    );
    const own = { containers: [{ image: "i", resources: { limits: { cpu: "q" } } }] };
    assert.deepEqual(
      described(problemsOf(separate({ groups: { cpu: {}, gpu: own } }))),
      errorsAt(
        ["groups.gpu.containers[0].resources.limits.cpu"],
        'must be a Kubernetes quantity such as "4", "500m" or "8Gi", never "8GB"',
      ).map((text) => text.replace("cpu: ", 'cpu: "q" ')),
    );
  });
});

describe("a cluster with groups", () => {
  const pool = aPool({ pool: "gpus", pricePerHour: 2.5 }, { cores: 16, gpus: 8, gpuModel: "h100" });
  const lab = aLab({
    lead: { nodeSelector: { role: "lead" } },
    drainTimeoutSeconds: 90,
    groups: {
      cpu: { size: 3, cores: 4, properties: ["fast"] },
      gpu: { pool, autoscale: { max: 8, budget: { perMonth: 900 } }, drainTimeoutSeconds: 30 },
    },
  });
  const [cpu, gpu] = lab.groups;

  it("has a Job for the lead broker and one for each group, which share what names them", () => {
    assert.deepEqual([lab.name, lab.size, lab.maxSize, lab.pod.nodeSelector], ["lab", 1, 1, { role: "lead" }]);
    const jobs = lab.groups.map((job) => [job.name, job.size, job.maxSize, job.autoscale?.max, job.cluster]);
    assert.deepEqual(jobs, [
      ["lab-cpu", 3, 3, undefined, "lab"],
      ["lab-gpu", 0, 8, 8, "lab"],
    ]);
    assert.deepEqual(
      lab.groups.map(({ network, drainTimeoutSeconds }) => [network.headlessName, drainTimeoutSeconds]),
      [
        ["lab", 90],
        ["lab", 30],
      ],
    );
    assert.equal(clusterHostlist(lab), "lab-0,lab-cpu-[0-2],lab-gpu-[0-7]");
    assert.match(
      diagnoseCommand(lab, "kubectl"),
      /--selector app.kubernetes.io\/instance=lab && .*deployment\/lab-autoscale/,
    );
  });

  it("describes the hosts of each group to Flux, with a queue for each, and excludes the lead broker's host", () => {
    const text = renderConfigFiles(lab)["broker.toml"];
    for (const part of [
      '[resource]\nexclude = "lab-0"\n',
      'hosts = "lab-cpu-[0-2]"\ncores = "0-3"\nproperties = [ "cpu", "fast" ]\n',
      'hosts = "lab-gpu-[0-7]"\ncores = "0-15"\ngpus = "0-7"\nproperties = [ "gpu", "gpus", "amd64", "h100" ]\n',
      '[queues.cpu]\nrequires = [ "cpu" ]\n\n[queues.gpu]\nrequires = [ "gpu" ]\n\n',
      '[policy.jobspec.defaults.system]\nqueue = "cpu"\n',
    ])
      assert.ok(text?.includes(part), `${part}\nis not in\n${text}`);
    // All brokers of an instance have the same hosts and resources. The lead broker alone keeps ended jobs.
    const followers = renderConfigFiles(gpu!)["broker.toml"];
    const ended = "[job-manager]\ninactive-num-limit = 2000\n\n";
    assert.equal(followers?.split("[archive]")[1], text?.split("[archive]")[1]?.replace(ended, ""));
  });

  it("has one agent for the groups that follow their queues, with rights on their Jobs alone", () => {
    const { agent, programs } = allManifests(lab, { certificate: randomCertificate("lab", standInKey) });
    assert.deepEqual(agent?.role.rules, [
      { apiGroups: ["batch"], resources: ["jobs"], resourceNames: ["lab-gpu"], verbs: ["get", "patch"] },
    ]);
    const settings = JSON.parse(programs?.data["agent.json"] ?? "") as { jobs: unknown };
    const pace = { idleSeconds: 300, cooldownSeconds: 30, maxStep: 100_000 };
    assert.deepEqual(settings.jobs, [
      { name: "lab-gpu", min: 0, max: 8, ...pace, suspendsAtZero: true, budget: { perMonth: 900, pricePerHour: 2.5 } },
    ]);
    const demand = JSON.parse(programs?.data["lead.json"] ?? "") as { clusters: unknown };
    assert.deepEqual(demand.clusters, [
      { name: "lab", hosts: 1, max: 1 },
      { name: "lab-cpu", hosts: 3, max: 3 },
      { name: "lab-gpu", hosts: 8, max: 8 },
    ]);
    assert.equal(cpu?.autoscale, undefined);
  });

  it("has one Service, one policy and one order of ranks for all Jobs, and a queue of Kueue for each", () => {
    const groups = { cpu: {}, queued: { size: 2, gang: { queueName: "team" } } };
    const certificate = randomCertificate("lab", standInKey);
    const closed = aLab({ groups, network: { policy: "brokerPort" } });
    const { service, networkPolicy } = allManifests(closed, { certificate });
    const everyPod = { "app.kubernetes.io/instance": "lab" };
    assert.deepEqual(valueAt(service, "spec.selector"), everyPod);
    assert.deepEqual(valueAt(networkPolicy, "spec.podSelector.matchLabels"), everyPod);
    const queues = closed.groups.map(
      (group) => (allManifests(group, { certificate }).job.metadata.labels as Record<string, unknown>)[queueLabel],
    );
    assert.deepEqual(queues, [undefined, "team"]);
    const spec = aLab({ groups, bursting: aBursting() });
    const hosts = "lab-0,lab-cpu-0,lab-queued-[0-1],cloud-[0-7]";
    assert.equal(clusterHostlist(spec), hosts);
    const plan = aPlan(spec);
    const joining = aBurstCluster({ name: "cloud", root: aRoot({ plan }) });
    const queuesIn = (text = "") => text.slice(text.indexOf("[queues"));
    const own = renderConfigFiles(joining)["broker.toml"];
    assert.match(own ?? "", /exclude = "lab-0"/);
    assert.equal(queuesIn(own), queuesIn(renderConfigFiles(spec)["broker.toml"]));
    const wrong = burstProblemsOf({ ...aBurstClusterArgs(), name: "lab-cpu", root: aRoot({ plan }) });
    assert.match(described(wrong).join(), /^name: "lab-cpu" is the name of a group of the MiniCluster; /);
  });

  const taints = { taints: [{ key: "workers", effect: MiniClusterTaintEffect.NoSchedule }] };
  const clouds = {
    eks: anEksPool(taints),
    karpenter: aKarpenterPool(taints),
    gke: aGkePool(taints),
    aks: aksPool(taints),
  };
  for (const [cloud, { scheduling }] of Object.entries(clouds))
    it(`has its workers alone on a pool of ${cloud}`, async () => {
      const lab = aLab({ groups: { cpu: { pool: scheduling } }, podSecurity: MiniClusterPodSecurity.Restricted });
      const built = await Promise.all([lab, ...lab.groups].map((job) => sentFor(job)));
      const [lead, group] = built.map((each) => valueAt(each, "job.spec.template.spec") as PlainPod);
      assert.equal(valueAt(lead, "nodeSelector"), undefined);
      assert.deepEqual({ ...(group?.nodeSelector as object), ...scheduling.nodeSelector }, group?.nodeSelector);
      const tolerated = ((group?.tolerations ?? []) as { key: string }[]).map(({ key }) => key);
      assert.ok(tolerated.includes("workers"), tolerated.join());
      for (const pod of [lead, group]) assert.equal(valueAt(pod, "securityContext.runAsNonRoot"), true);
    });

  it("calls the only group of a cluster with lead and without groups workers, and gives it no queue", () => {
    const { groups, instance } = aLab({ lead: {}, autoscale: { min: 0, max: 4 } });
    assert.deepEqual(
      groups.map(({ name }) => name),
      ["lab-workers"],
    );
    assert.equal(instance.hasQueues, false);
  });
});

describe("the state of an instance on a volume", () => {
  const { rejectsAll, accepts } = validating<object>((args) => problemsOf(separate({ lead: { storage: args } })));
  accepts({ "a claim of the cluster": { size: "10Gi" }, "an existing claim": { claimName: "state" } });
  const either = "lead.storage: requires either size, for a claim of this cluster, or claimName, for an existing claim";
  rejectsAll({}, [either]);
  rejectsAll({ size: "10GB" }, ['lead.storage.size: "10GB" must be a Kubernetes quantity such as …']);
  rejectsAll({ size: "1Gi", claimName: "a", storageClassName: "b" }, [
    either,
    "lead.storage.storageClassName: is set in the existing claim; remove it, or claimName",
  ]);

  it("is refused beside archive", () => {
    const args = { lead: { storage: { size: "1Gi" } }, archive: { path: "/a/b" } };
    const [problem] = described(problemsOf(separate(args)));
    assert.match(problem ?? "", /^archive: saves the state that lead.storage already has, /);
  });

  it("is mounted by the lead broker alone, from a claim of the cluster or an existing one", () => {
    const built = (storage: object) => {
      const spec = aLab({ lead: { storage }, groups: { cpu: {} } });
      const certificate = randomCertificate("lab", standInKey);
      const [lead, group] = [spec, ...spec.groups].map((job) => JSON.stringify(allManifests(job, { certificate }).job));
      const claim = /"claimName":"(.*?)"/.exec(lead ?? "")?.[1];
      return { claim, isShared: group?.includes("claimName"), made: allManifests(spec, { certificate }).stateClaim };
    };
    const own = built({ size: "1Gi", storageClassName: "fast" });
    assert.deepEqual([own.claim, own.isShared], ["lab-state", false]);
    assert.deepEqual(own.made?.spec, {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "fast",
    });
    const existing = built({ claimName: "state" });
    assert.deepEqual([existing.claim, existing.made], ["state", undefined]);
  });
});
