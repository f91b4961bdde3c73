import { messagesByFile } from "../messages";
import { code, page } from "./markdown";

/** Messages of some sources, and further pages for the reader of one. */
interface Area {
  title: string;
  sources: RegExp;
  /** Sections and pages, as links. */
  readOn: string[];
}

const link = (text: string, target: string) => `[${text}](${target})`;
const refused = link("An argument is refused", "troubleshooting.md#an-argument-is-refused");
const pending = link("The cluster does not come up", "troubleshooting.md#the-cluster-does-not-come-up");
const unexpected = link(
  "A preview or an update is unexpected",
  "troubleshooting.md#a-preview-or-an-update-is-unexpected",
);
const stalled = link("A study does not continue", "troubleshooting.md#a-study-does-not-continue");
const reference = (component: string) => link(component, `reference/${component.toLowerCase()}.md`);

/** In the order of the page. Each source belongs to one area. */
const areas: Area[] = [
  {
    title: "Arguments of a cluster",
    sources: /^(brokers\/parse\/(?!pool|price|bursting)|minicluster\/parse|shared\/(checks|errors|shell|yamlTokens))/,
    readOn: [refused, reference("MiniCluster")],
  },
  {
    title: "Objects that Kubernetes would refuse",
    sources: /^brokers\/diagnostics\/admission/,
    readOn: [refused, link("Security", "security.md")],
  },
  {
    title: "A cluster that starts, changes or waits",
    sources: /^(brokers\/(diagnostics\/(?!admission)|register|flux)|diagnostics\/)/,
    readOn: [pending, unexpected, link("Debug", "how-to/debug.md")],
  },
  {
    title: "A cluster on a node pool, and its price",
    sources: /^(brokers\/parse\/(pool|price)|clouds\/(nodes\/|lookup|machines)|shared\/optionalPackage)/,
    readOn: [refused, link("Node pools", "node-pools.md"), link("Cost", "how-to/cost.md")],
  },
  {
    title: "Bursting",
    sources: /^(bursting\/|brokers\/parse\/bursting|minicluster\/component\/burst)/,
    readOn: [refused, link("Bursting", "bursting.md"), reference("BurstCluster")],
  },
  { title: "Manifests of the operator", sources: /^operator\//, readOn: [refused, link("Migration", "migration.md")] },
  {
    title: "Node pools on EKS",
    sources: /^clouds\/eks\/(?!storage)/,
    readOn: [refused, reference("EksNodePool"), reference("KarpenterNodePool")],
  },
  { title: "Node pools on GKE", sources: /^clouds\/gke\/(?!storage)/, readOn: [refused, reference("GkeNodePool")] },
  { title: "Node pools on AKS", sources: /^clouds\/aks\/(?!storage)/, readOn: [refused, reference("AksNodePool")] },
  {
    title: "Shared storage",
    sources: /^clouds\/(\w+\/)?storage\//,
    readOn: [refused, link("Storage", "how-to/storage.md")],
  },
  { title: "Studies", sources: /^(server\/)?study\//, readOn: [stalled, link("A scaling study", "how-to/study.md")] },
  {
    title: "The plugin",
    sources: /^server(\.|\/(?!study))/,
    readOn: [unexpected, link("Languages", "languages.md#the-plugin")],
  },
];

const introduction = `# Messages

Every message of the provider by what it is about, for a search by its text: errors, warnings and notes. \`…\` is any value. In an
error a path comes before the message, such as \`containers[0].ports[0]:\`. \`npm run docs\` writes this page from the sources.`;

/** The page with all messages. Throws if a source belongs to no area, or to several. */
export function renderMessages(): string {
  const files = [...messagesByFile()];
  for (const [file] of files) {
    const count = areas.filter(({ sources }) => sources.test(file)).length;
    if (count !== 1) throw new Error(`provider/${file} is of ${count} areas of the page with the messages`);
  }
  return page(
    introduction,
    ...areas.flatMap(({ title, sources, readOn }) => {
      const texts = files.filter(([file]) => sources.test(file)).flatMap(([, messages]) => messages);
      const shown = [...new Set(texts.map(({ text }) => withoutValues(text)))].filter((text) => /[a-z]{2}/.test(text));
      return [
        `## ${title}`,
        `${readOn.join(", ")}.`,
        ["<!-- prettier-ignore -->", ...shown.sort().map((text) => `- ${code(text)}`)].join("\n"),
      ];
    }),
  );
}

const withoutValues = (text: string) =>
  text
    .replaceAll(/\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, "…")
    .replaceAll("`", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
