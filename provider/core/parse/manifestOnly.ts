import { z } from "zod";

/** The value of a field that only manifests of the Flux Operator have. A program cannot create one. */
export class ManifestValue {
  constructor(readonly value: unknown) {}
}

/** A field that only manifests of the Flux Operator have. A program that sets it is rejected; `remedy` is what to change. */
export const manifestOnly = <T extends z.ZodType>(schema: T, remedy: string) =>
  z
    .custom<ManifestValue>()
    .check(({ value, issues }) => {
      if (value instanceof ManifestValue) return;
      issues.push({ code: "custom", message: `only a manifest of the Flux Operator has it; ${remedy}`, input: value });
    })
    .optional()
    .transform((given) => given?.value)
    .pipe(schema as z.ZodType<z.output<T>, unknown>);
