import { anchor, code, page, table } from "./markdown";

/** A description of an HTTP API (OpenAPI 3.1): the parts that the page uses. */
export interface OpenApi {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, { description: string }> };
}

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<
    string,
    Partial<Reference> & { description?: string; content?: Record<string, { schema: Schema }> }
  >;
}

interface Parameter {
  name: string;
  in: string;
  description: string;
  schema: Schema;
}

interface Reference {
  $ref: string;
}

interface Schema extends Partial<Reference> {
  type?: string | string[];
  enum?: string[];
  const?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
}

const titles: Record<string, string> = { jobs: "Jobs", instance: "The instance", users: "Users" };

/** The reference page of the REST API. */
export const renderRestApi = (api: OpenApi): string =>
  page(
    "# REST API",
    `${api.info.description} The [page on the console](../console.md) describes how to enable it, and the roles of its users.`,
    ...api.tags.map(({ name }) => section(api, name)),
    "## Schemas",
    ...Object.entries(api.components.schemas).map(([name, schema]) => `### ${name}\n\n${properties(schema)}`),
  );

function section(api: OpenApi, tag: string): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => describe(api, `${method.toUpperCase()} ${path}`, operation)),
  );
  return [`## ${titles[tag] ?? tag}`, ...operations].join("\n\n");
}

function describe(
  api: OpenApi,
  heading: string,
  { summary, description, parameters, requestBody, responses }: Operation,
) {
  const body = requestBody?.content["application/json"]?.schema;
  return [
    `### ${code(heading)}`,
    `${summary}. ${description}`,
    ...(parameters ? [table(["Argument", "In", "Type", "Meaning"], parameters.map(parameterRow))] : []),
    ...(body ? [`Body: ${typeOf(body)}.`] : []),
    table(
      ["Status", "Answer"],
      Object.entries(responses).map(([status, response]) => [status, answer(api, response)]),
    ),
  ].join("\n\n");
}

const parameterRow = ({ name, in: place, description, schema }: Parameter) => [
  code(name),
  place,
  typeOf(schema),
  description,
];

function answer({ components }: OpenApi, { $ref, description, content = {} }: Operation["responses"][string]): string {
  const text = $ref === undefined ? description : components.responses[nameIn($ref)]?.description;
  const types = Object.values(content).flatMap(({ schema }) => (schema.$ref ? [typeOf(schema)] : []));
  return [text ?? "", ...types].join(" ");
}

const nameIn = (reference: string) => reference.split("/").at(-1) ?? "";

function typeOf({ $ref, type, enum: values, items, oneOf, const: only }: Schema): string {
  if ($ref !== undefined) return anchor(nameIn($ref));
  if (only !== undefined) return code(only);
  if (values) return values.map((value) => code(value === "" ? '""' : value)).join(", ");
  if (oneOf) return oneOf.map(typeOf).join(" or ");
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? "object"].flat().join(" or ");
}

const properties = ({ properties: all = {} }: Schema) =>
  table(
    ["Property", "Type", "Meaning"],
    Object.entries(all).map(([name, schema]) => [code(name), typeOf(schema), schema.description ?? ""]),
  );
