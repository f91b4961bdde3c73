import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { withTabs } from "../../sdk/generator/programs/folding.ts";

const packageJson = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const repository = packageJson.repository.url.replace(/^git\+|\.git$/g, "");
const sources = `${repository}/tree/main/`;

const { resources } = JSON.parse(readFileSync(new URL("../../sdk/schema.json", import.meta.url), "utf8"));
const components = Object.keys(resources).map((token) => token.split(":").at(-1));

const page = (text, link) => ({ text, link });

export default defineConfig({
  title: "minicluster",
  description: "Flux MiniClusters on Kubernetes with Pulumi: created, previewed and resized in place",
  // Path of the site on its host, such as /minicluster/ on GitHub Pages.
  base: process.env.SITE_BASE ?? "/",
  // Pages of Pulumi's registry, in the format of the registry.
  srcExclude: ["_index.md", "installation-configuration.md"],
  head: [["link", { rel: "icon", href: "/logo.svg" }]],
  markdown: {
    config: (markdown) => {
      markdown.core.ruler.before("normalize", "tabs", (state) => {
        state.src = withTabs(state.src);
      });
      // Braces in code belong to messages and templates, not to Vue.
      markdown.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${markdown.utils.escapeHtml(tokens[index].content)}</code>`;
      // Links to files outside of the site, such as examples, lead to the repository.
      const outside = /^(?:\.\.\/)+((?:examples|templates|sdk|tests|\.github|CHANGELOG\.md)\b.*)$/;
      markdown.core.ruler.push("sources", ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.attrGet("href") ?? "";
          const [, file] = outside.exec(href) ?? [];
          if (file !== undefined) token.attrSet("href", sources + file);
          // The site has the files of public/ at its root.
          const [, served] = /^(?:\.\.\/)*public\/(.*)$/.exec(href) ?? [];
          if (served !== undefined) token.attrSet("href", `/${served}`);
        }
      });
    },
  },
  themeConfig: {
    logo: "/logo.svg",
    search: { provider: "local" },
    nav: [
      page("Start here", "/start"),
      page("Reference", "/reference"),
      {
        text: packageJson.version,
        items: [page("What is new", "/new"), page("All versions", `${repository}/releases`)],
      },
      page("Source", sources),
    ],
    sidebar: [
      {
        text: "Introduction",
        items: [
          page("Start here", "/start"),
          page("Languages", "/languages"),
          page("What is new", "/new"),
          page("Resize", "/resizing"),
          page("What a change does to the queue", "/forecast"),
          page("Concepts", "/concepts"),
        ],
      },
      {
        text: "How to",
        items: [
          page("Choose Kubernetes cluster and namespace", "/how-to/cluster"),
          page("Run a command to its end", "/how-to/run-to-the-end"),
          page("Run MPI", "/how-to/mpi"),
          page("Use existing nodes", "/how-to/existing-nodes"),
          page("Use GPUs", "/how-to/gpus"),
          page("Run on ARM", "/how-to/arm"),
          page("Use EFA", "/how-to/efa"),
          page("Mount storage", "/how-to/storage"),
          page("Pass secrets", "/how-to/secrets"),
          page("Work with GitOps", "/how-to/gitops"),
          page("Resize in CI", "/how-to/ci"),
          page("Upgrade Flux", "/how-to/upgrade-flux"),
          page("Debug", "/how-to/debug"),
          page("Node pools", "/node-pools"),
          page("Autoscale by the queue", "/elastic"),
          page("Groups and the lead broker", "/groups"),
          page("GPU and CPU in one instance", "/how-to/gpu-and-cpu"),
          page("Spot workers", "/how-to/spot"),
          page("Hibernate", "/how-to/hibernate"),
          page("Cost", "/how-to/cost"),
          page("Burst when the queue is long", "/how-to/burst-when-long"),
          page("A scaling study", "/how-to/study"),
          page("Queue with Kueue", "/kueue"),
          page("Metrics for Prometheus", "/metrics"),
          page("Console: web page and REST API", "/console"),
          page("Burst", "/bursting"),
          page("From kubectl apply", "/how-to/from-kubectl"),
          page("Migrate", "/migration"),
        ],
      },
      {
        text: "By workload",
        items: [
          page("LAMMPS", "/workloads/lammps"),
          page("OSU Micro-Benchmarks", "/workloads/osu"),
          page("NCCL tests", "/workloads/nccl"),
          page("GROMACS", "/workloads/gromacs"),
          page("Snakemake", "/workloads/snakemake"),
          page("PyTorch", "/workloads/pytorch"),
          page("Jupyter", "/workloads/jupyter"),
        ],
      },
      {
        text: "Look up",
        items: [
          page("Troubleshooting", "/troubleshooting"),
          {
            ...page("Reference", "/reference"),
            collapsed: true,
            items: [
              ...components.map((name) => page(name, `/reference/${name.toLowerCase()}`)),
              page("REST API", "/reference/rest-api"),
            ],
          },
          page("Conformance", "/conformance"),
          page("Security", "/security"),
          page("Limits and support", "/limits"),
          page("Figures", "/figures"),
          page("Comparison", "/comparison"),
        ],
      },
    ],
  },
});
