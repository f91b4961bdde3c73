/** The values of a TOML text, as plain objects. */
export async function parseToml(text: string): Promise<unknown> {
  // An ES module, which this CommonJS file cannot import in another way.
  const { parse } = await import("smol-toml");
  return JSON.parse(JSON.stringify(parse(text)));
}
