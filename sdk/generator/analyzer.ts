import * as path from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import kubernetesJson from "@pulumi/kubernetes/package.json";
import ts from "typescript";
import packageJson from "../../package.json";

const root = path.resolve(__dirname, "../..");

/** Components of the package. */
const components = [
  "MiniCluster",
  "BurstCluster",
  "MiniClusterManifest",
  "EksNodePool",
  "KarpenterNodePool",
  "GkeNodePool",
  "AksNodePool",
  "AksKarpenterNodePool",
  "EksSharedStorage",
  "GkeSharedStorage",
  "AksSharedStorage",
  "Study",
];

/** Functions of the package, with the interfaces of their arguments and results, which these files declare. */
const functions: Record<string, { args: string; result: string }> = {
  lookupNodes: { args: "LookupNodesArgs", result: "LookupNodesResult" },
  lookupEksMachine: { args: "LookupEksMachineArgs", result: "LookupEksMachineResult" },
  lookupEksPrice: { args: "LookupEksPriceArgs", result: "LookupPriceResult" },
  lookupGkeMachine: { args: "LookupGkeMachineArgs", result: "LookupGkeMachineResult" },
  lookupGkePrice: { args: "LookupGkePriceArgs", result: "LookupPriceResult" },
  lookupAksMachine: { args: "LookupAksMachineArgs", result: "LookupAksMachineResult" },
  lookupAksPrice: { args: "LookupAksPriceArgs", result: "LookupPriceResult" },
};
const functionFiles = ["clouds/existing/args.ts", "server/functions/args.ts"];

/**
 * Arguments that only a program in TypeScript can set, with the arguments that they replace, which are required in the schema: the SDK of
 * another language would depend on the SDKs of all clouds.
 */
const replaced: Record<string, Record<string, string[]>> = {
  EksNodePoolArgs: { cluster: ["clusterName"] },
  GkeNodePoolArgs: { cluster: ["clusterName", "location"] },
  EksSharedStorageArgs: { cluster: [] },
  AksNodePoolArgs: { cluster: ["resourceGroupName", "clusterName"] },
};

interface Property {
  optional?: boolean;
  $ref?: string;
  plain?: boolean;
  description?: unknown;
}

/**
 * The analyzer of component sources, with references to the types of the Kubernetes provider: each language has these
 * types in its package of the Kubernetes provider, and a copy would be outdated with the next version of the provider.
 */
export class PackageAnalyzer extends Analyzer {
  constructor() {
    // The main file of the package is the plugin; the analyzer needs sources, and reads all files of a tsconfig.json.
    super(path.join(root, "provider"), "minicluster", { ...packageJson, main: "index.ts" }, new Set(components));
    const own = this as unknown as AnalyzerParts;
    const analyzeType = own.analyzeType.bind(this);
    const analyzeSymbols = own.analyzeSymbols.bind(this);
    own.analyzeSymbols = (context, symbols) => {
      const replacing = replaced[context.typeName ?? ""] ?? {};
      const kept = symbols.filter(({ name }) => !Object.hasOwn(replacing, name));
      const properties = analyzeSymbols(context, kept);
      for (const name of Object.values(replacing).flat()) delete properties[name]?.optional;
      return properties;
    };
    own.analyzeType = (context, type, ...rest) => {
      const $ref = kubernetesType(type);
      if ($ref === undefined) return analyzeType(context, type, ...rest);
      const [, optional, description] = rest;
      return { $ref, plain: true, ...(optional === true && { optional }), ...(description ? { description } : {}) };
    };
  }

  /** The functions of the schema. The types of their arguments and results are then among the types of `analyze`. */
  functions(): Record<string, SchemaFunction> {
    const own = this as unknown as AnalyzerParts;
    const { program, checker } = own;
    const comments = this.descriptions();
    const declared = new Map(
      functionFiles
        .map((file) => checker.getSymbolAtLocation(program.getSourceFile(path.join(root, "provider", file))!)!)
        .flatMap((module) => checker.getExportsOfModule(module))
        .map((symbol) => [symbol.name, symbol]),
    );
    const objectOf = (name: string): SchemaObject => {
      const symbol = declared.get(name);
      if (!symbol) throw new Error(`no file of functions declares ${name}`);
      const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
      // As Inputs: each language has a second form of a function, which takes outputs.
      const properties = own.analyzeSymbols({ component: name, inputOutput: 1, typeName: name }, members);
      const required = Object.keys(properties).filter((key) => !properties[key]?.optional);
      return { type: "object", description: commentOf(symbol, checker), properties, required: required.sort() };
    };
    return Object.fromEntries(
      Object.entries(functions).map(([name, { args, result }]) => [
        `minicluster:index:${name}`,
        {
          description: (comments.get(name) ?? "").replace(/Uses the [^.]* `options`[^.]*\.$/, credentials),
          inputs: objectOf(args),
          outputs: objectOf(result),
        },
      ]),
    );
  }

  /** The doc comment of each exported type, which the analyzer omits. */
  descriptions(): Map<string, string> {
    const { program, checker } = this as unknown as AnalyzerParts;
    const index = program.getSourceFile(path.join(root, "provider/index.ts"));
    const symbol = index && checker.getSymbolAtLocation(index);
    if (!symbol) throw new Error("provider/index.ts exports nothing");
    return new Map(
      checker.getExportsOfModule(symbol).map((each) => {
        const declared = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
        return [each.name, commentOf(declared, checker)];
      }),
    );
  }
}

const commentOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker));

/** Last sentence on a function in every language, in place of the sentence on the providers of TypeScript. */
const credentials = "Uses the credentials of the environment, as the provider of the cloud does.";

interface SchemaObject {
  type: "object";
  description: string;
  properties: Record<string, Property>;
  required: string[];
}

/** A function of the schema. */
interface SchemaFunction {
  description: string;
  inputs: SchemaObject;
  outputs: SchemaObject;
}

/** The parts of an analyzer that the SDK does not declare. */
interface AnalyzerParts {
  program: ts.Program;
  checker: ts.TypeChecker;
  analyzeType: (context: unknown, type: NamedType, ...rest: unknown[]) => Property;
  analyzeSymbols: (
    context: { component?: string; inputOutput?: number; typeName?: string },
    symbols: { name: string }[],
  ) => Record<string, Property>;
}

/** The parts of a TypeScript type that this file uses. */
interface NamedType {
  getSymbol(): { name: string; declarations?: { getSourceFile(): { fileName: string } }[] } | undefined;
}

function kubernetesType(type: NamedType): string | undefined {
  const symbol = type.getSymbol();
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? "";
  if (symbol?.name !== "PodTemplateSpecPatch" || !file.includes("@pulumi/kubernetes/")) return undefined;
  return `/kubernetes/v${kubernetesJson.version}/schema.json#/types/kubernetes:core%2Fv1:${symbol.name}`;
}
