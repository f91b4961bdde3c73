import * as fs from "node:fs";
import { aksMachineTypes } from "../../provider/clouds/aks/machines";
import { eksMachineTypes } from "../../provider/clouds/eks/machines";
import { gkeMachineTypes } from "../../provider/clouds/gke/machines";
import type { MachineType } from "../../provider/clouds/machines";

/** Properties of a machine type in a list. */
export interface Facts {
  arch?: string;
  vcpus?: number;
  memoryMib?: number;
  gpus?: number;
  efa?: number;
  /** Interfaces of each network card. */
  cards?: number[];
}

/** A format of a downloaded list of machine types, with functions that detect and read it. */
interface Format {
  name: string;
  isIt: (text: string) => boolean;
  read: (text: string) => Map<string, Facts>;
}

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** Entries of a Go map literal: the name, and the text between its braces. */
const goEntries = (text: string) =>
  [...text.matchAll(/^\t"([^"]+)": \{\n([^]*?)^\t\},/gm)].map(([, name = "", body = ""]) => ({ name, body }));

const goField = (body: string, field: string) => new RegExp(`\\b${field}:\\s*"?([\\w.-]+)"?,`).exec(body)?.[1];

const formats: Format[] = [
  {
    name: "instance types of Karpenter's documents",
    isIt: (text) => text.includes("karpenter.k8s.aws/instance-cpu|"),
    read: (text) =>
      new Map(
        text.split(/^### `/m).flatMap((part): [string, Facts][] => {
          const name = /^([a-z0-9-]+\.[a-z0-9-]+)`/.exec(part)?.[1];
          if (name === undefined) return [];
          const cell = (key: string) => part.split(`|${key}|`)[1]?.split("|")[0];
          const own = (key: string) => cell(`karpenter.k8s.aws/instance-${key}`);
          const facts = {
            arch: cell("kubernetes.io/arch"),
            vcpus: number(own("cpu")),
            memoryMib: number(own("memory")),
          };
          const gpus = Number(own("gpu-count") ?? own("accelerator-count") ?? 0);
          return [[name, { ...facts, gpus, efa: Number(cell("vpc.amazonaws.com/efa") ?? 0) }]];
        }),
      ),
  },
  {
    name: "network limits of Karpenter's provider",
    isIt: (text) => text.includes("MaximumNetworkInterfaces:"),
    read: (text) =>
      new Map(
        goEntries(text).map(({ name, body }) => [
          name,
          { cards: [...body.matchAll(/MaximumNetworkInterfaces:\s*(\d+)/g)].map(([, count]) => Number(count)) },
        ]),
      ),
  },
  {
    name: "instance types of the cluster autoscaler",
    isIt: (text) => /^\t\tInstanceType:/m.test(text) && text.includes("MemoryMb:"),
    read: (text) =>
      new Map(
        goEntries(text).map(({ name, body }) => [
          name,
          {
            arch: goField(body, "Architecture"),
            vcpus: number(goField(body, "VCPU")),
            memoryMib: number(goField(body, "MemoryMb")),
            gpus: number(goField(body, "GPU")),
          },
        ]),
      ),
  },
  {
    name: "machine types by region of Cyclenerd's calculator",
    isIt: (text) => text.startsWith("NAME;CPUS;"),
    read: (text) =>
      new Map(
        text
          .split("\n")
          .slice(1)
          .filter((line) => line !== "")
          .map((line): [string, Facts] => {
            const [name = "", cpus, , gib] = line.split(";");
            return [name, { vcpus: number(cpus), memoryMib: Math.floor(Number(gib) * 1024) }];
          }),
      ),
  },
];

/** The machine types of this package, of all clouds, whose names are unique. */
const ours: ReadonlyMap<string, MachineType> = new Map<string, MachineType>([
  ...Object.entries(eksMachineTypes),
  ...gkeMachineTypes,
  ...aksMachineTypes,
]);

function factsOf(type: MachineType): Facts {
  const { arch, vcpus, memoryMib, accelerator } = type;
  const { efaInterfaces, networkCards, interfacesPerCard } = type as Partial<(typeof eksMachineTypes)[string]>;
  // A card without a number in any list supports two or more interfaces.
  const cards = Array.from({ length: networkCards ?? 0 }, (_, card) => interfacesPerCard?.[card] ?? 2);
  return { arch, vcpus, memoryMib, gpus: accelerator?.count ?? 0, efa: efaInterfaces, cards };
}

const isSame = (fact: keyof Facts, ours: Facts[keyof Facts], theirs: Facts[keyof Facts]) =>
  fact === "cards"
    ? String((theirs as number[]).map((count) => Math.min(count, 2))) === String(ours)
    : // The tables have whole gibibytes, and the list fractions: they may differ by less than one.
      fact === "memoryMib"
      ? Math.abs(Number(ours) - Number(theirs)) < 1024
      : ours === theirs;

/** Differences between a downloaded list and the tables of this package, one line each, and a last line that counts. */
function compareMachines(text: string, tables = ours): string[] {
  const format = formats.find(({ isIt }) => isIt(text));
  if (!format) throw new Error(`unknown list; the known lists are: ${formats.map(({ name }) => name).join("; ")}`);
  const listed = format.read(text);
  const common = [...listed].filter(([name]) => tables.has(name));
  const differences = common.flatMap(([name, theirs]) => {
    const own = factsOf(tables.get(name)!);
    return (Object.keys(theirs) as (keyof Facts)[])
      .filter((fact) => theirs[fact] !== undefined && !isSame(fact, own[fact], theirs[fact]))
      .map((fact) => `${name}: ${fact} ${String(own[fact])} here, ${String(theirs[fact])} there`);
  });
  const families = new Set([...tables.keys()].map(familyOf));
  const missing = [...listed.keys()].filter((name) => !tables.has(name) && families.has(familyOf(name)));
  return [
    ...differences,
    ...missing.map((name) => `${name}: missing in the tables, which have other types of its family`),
    `${format.name}: ${common.length} types in common, ${differences.length} differences, ${missing.length} missing`,
  ];
}

const familyOf = (name: string) => name.replace(/[.-].*$/, "");

if (require.main === module) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error("set the path of a downloaded list: npm run machines -- <file>");
  console.log(compareMachines(fs.readFileSync(file, "utf8")).join("\n"));
}
