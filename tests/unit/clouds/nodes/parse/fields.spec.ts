import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { validating } from "../../../../support/problems";
import { schemaPlaces, withValueAt } from "../../../../support/schemaPlaces";
import { aksArgs, aksProblems, pools } from "../fixtures";

for (const [name, { args, problemsOf }] of Object.entries(pools))
  describe(`the fields of ${name}`, () => {
    const places = schemaPlaces(name);
    const reasonsAt = ({ keys, path }: Pick<(typeof places)[number], "keys" | "path">, value: unknown) =>
      problemsOf(withValueAt(args, keys, value) as object)
        .filter(({ propertyPath }) => propertyPath === path)
        .map(({ reason }) => reason)
        .join();
    const paths = (found: typeof places) => found.map(({ path }) => path);

    it("refuse what is of another type, each at its place", () => {
      const wrong = (kind: string) => (kind === "string" ? 5 : "no such");
      const missed = places.filter((place) => !/must be/.test(reasonsAt(place, wrong(place.kind))));
      assert.deepEqual(paths(missed), []);
    });

    it("refuse empty texts, but for values that Kubernetes and the clouds let be empty", () => {
      const missed = places.filter((place) => place.kind === "string" && reasonsAt(place, "") === "");
      assert.deepEqual(paths(missed), ["labels.key", "taints[0].value", "tags.key"]);
    });

    it("take outputs where the schema lets them be, and nowhere else", () => {
      const refusal = /must be .*, known before anything is created; this is an output/;
      for (const value of [pulumi.output("x"), Promise.resolve("x")])
        for (const place of places)
          assert.equal(refusal.test(reasonsAt(place, value)), place.property.plain === true, place.path);
    });

    it("refuse unknown properties, and anything but an object", () => {
      for (const place of [{ path: "", keys: [] }, ...places.filter(({ kind }) => kind === "group")]) {
        const unknown = { keys: [...place.keys, "none"], path: place.path === "" ? "none" : `${place.path}.none` };
        assert.match(reasonsAt(unknown, 1), /^unknown property/, unknown.path);
      }
      for (const given of [undefined, null, "pool", []])
        assert.match(problemsOf(given as never)[0]?.reason ?? "", /must be an object with properties$/);
    });
  });

describe("the ranges of the fields", () => {
  const rangesOf = (name: string) => {
    const { args, problemsOf } = pools[name] ?? assert.fail(name);
    return validating((given: object) => problemsOf({ ...args, ...given }));
  };

  const label = "must be a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends";
  const dnsLabel = "must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends";
  const ofGoogle = "must be a label of Google Cloud: at most 63 lowercase letters, digits, - and _";
  const ofAks = "must be a name of AKS: at most 12 lowercase letters and digits, starting with a letter; set name";
  const ofArm = { arch: "arm64", vcpus: 8, threadsPerCore: 1, memoryMib: 1 };

  describe("of EksNodePool", () => {
    const { rejectsAll } = rangesOf("EksNodePool");
    const taint = { key: "a", value: " ", effect: "NO_SCHEDULE" };
    rejectsAll(
      { size: -1, name: "Upper", price: { perHour: 0 }, threadsPerCore: 3, taints: [taint], tags: { "": "b" } },
      [
        "size: -1 must be an integer from 0 to 100000",
        `name: "Upper" ${dnsLabel}`,
        `taints[0].value: " " ${label}`,
        'taints[0].effect: must be one of "NoSchedule", "PreferNoSchedule", "NoExecute"',
        'tags[""]: "" must be a string that is not empty',
        "threadsPerCore: 3 must be an integer from 1 to 2",
        "price.perHour: must be above 0",
      ],
    );
    rejectsAll({ price: { currency: "EUR" } }, ["price.perHour: is required; add the price of a node"]);
    const labels = { "not ok": "a", b: "not ok" };
    rejectsAll({ size: 100_001, labels, subnetIds: [], machineTypes: [], diskGib: 16_385 }, [
      "size: 100001 must be an integer from 0 to 100000",
      'labels["not ok"]: "not ok" must be a key such as app or example.com/app: at most 63 letters, digits, -, _ and…',
      `labels.b: "not ok" ${label}`,
      "subnetIds: needs at least one subnet; add one",
      "machineTypes: needs at least one instance type; add one",
      "diskGib: 16385 must be an integer from 20 to 16384",
    ]);
    const cards = { networkCards: 0, efaInterfaces: 65, interfacesPerCard: [0] };
    const hardware = { arch: "arm64", vcpus: 0, threadsPerCore: 1, memoryMib: 0, ...cards };
    rejectsAll({ minSize: -1, maxSize: 0, hardware, diskGib: 19, threadsPerCore: 0 }, [
      "minSize: -1 must be an integer from 0 to 100000",
      "maxSize: 0 must be an integer from 1 to 100000",
      "threadsPerCore: 0 must be an integer from 1 to 2",
      "hardware.vcpus: 0 must be an integer from 1 to 100000",
      "hardware.memoryMib: 0 must be an integer of at least 1",
      "hardware.networkCards: 0 must be an integer from 1 to 64",
      "hardware.efaInterfaces: 65 must be an integer from 0 to 64",
      "hardware.interfacesPerCard[0]: 0 must be an integer from 1 to 64",
      "diskGib: 19 must be an integer from 20 to 16384",
      "hardware: this package has the hardware of m7i.large; remove hardware",
    ]);
    rejectsAll({ size: -1, maxSize: 0 }, [
      "size: -1 must be an integer from 0 to 100000",
      "maxSize: 0 must be an integer from 1 to 100000",
    ]);
  });

  describe("of KarpenterNodePool", () => {
    const { rejectsAll } = rangesOf("KarpenterNodePool");
    rejectsAll({ emptyForSeconds: -1, amiIds: [], securityGroupIds: [] }, [
      "securityGroupIds: needs at least one security group; add one",
      "amiIds: needs at least one image; add one",
      "emptyForSeconds: -1 must be an integer from 0 to 86400",
    ]);
    rejectsAll({ emptyForSeconds: 86_401 }, ["emptyForSeconds: 86401 must be an integer from 0 to 86400"]);
  });

  describe("of GkeNodePool", () => {
    const { rejectsAll } = rangesOf("GkeNodePool");
    const gpus = { type: "a", count: 17 };
    rejectsAll({ zones: ["us-east4"], maxRunSeconds: 0, gpus, diskGib: 9, networkTags: ["MPI"] }, [
      'zones[0]: "us-east4" must be a zone, such as "us-central1-a"',
      "maxRunSeconds: 0 must be an integer from 1 to 604800",
      "gpus.count: 17 must be an integer from 1 to 16",
      "diskGib: 9 must be an integer from 10 to 65536",
      'networkTags[0]: "MPI" must be a lowercase DNS label that starts with a letter: at most 63 of a-z, 0-9 and -',
    ]);
    rejectsAll({ tags: { Team: "hpc", "1a": "hpc", team: "HPC" }, maxRunSeconds: 604_801, diskGib: 65_537 }, [
      `tags.Team: "Team" ${ofGoogle}`,
      `tags["1a"]: "1a" ${ofGoogle}`,
      `tags.team: "HPC" ${ofGoogle}`,
      "maxRunSeconds: 604801 must be an integer from 1 to 604800",
      "diskGib: 65537 must be an integer from 10 to 65536",
    ]);
    const rdmaNetworks = [{ network: "a", subnetwork: "b", name: "RDMA" }];
    rejectsAll({ fabric: "rdma", rdmaNetworks, hardware: { ...ofArm, rdmaInterfaces: 65 } }, [
      "hardware.rdmaInterfaces: 65 must be an integer from 0 to 64",
      `rdmaNetworks[0].name: "RDMA" ${dnsLabel}`,
      "hardware: this package has the hardware of n4-standard-16; remove hardware",
    ]);
  });

  describe("of AksNodePool", () => {
    const { rejectsAll } = rangesOf("AksNodePool");
    rejectsAll({ name: "my-pool", zones: ["eastus-1"], spotMaxPrice: 0, capacityType: "spot", diskGib: 29 }, [
      `name: "my-pool" ${ofAks}`,
      'zones[0]: must be one of "1", "2", "3"',
      "spotMaxPrice: must be above 0, or -1 for the price on demand",
      "diskGib: 29 must be an integer from 30 to 2048",
    ]);
    rejectsAll({ name: "abcdefghijklm", diskGib: 2049, hardware: { ...ofArm, infinibandDevices: 65 } }, [
      `name: "abcdefghijklm" ${ofAks}`,
      "hardware.infinibandDevices: 65 must be an integer from 0 to 64",
      "diskGib: 2049 must be an integer from 30 to 2048",
      "hardware: this package has the hardware of Standard_D8ds_v5; remove hardware",
    ]);
    rejectsAll({ name: "1a" }, [`name: "1a" ${ofAks}`]);
  });

  it("are those of a name that the resource gives where the arguments have none", () =>
    assert.deepEqual(
      aksProblems(aksArgs({ name: undefined }), "infiniband-pool").map(({ propertyPath }) => propertyPath),
      ["name"],
    ));
});
