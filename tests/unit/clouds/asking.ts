import { mockEngine, withWarnings } from "../../support/mocks";

/** Answers of the clouds, by the token of the call. */
export type Answers = Record<string, (inputs: Record<string, unknown>) => object>;

export const today = new Date().toISOString().slice(0, 10);

/** What a look-up gives, with what the clouds were asked, the warnings, and the resources that it made. */
export async function asking<T>(ask: () => Promise<T>, answers: Answers = {}) {
  const asked: [token: string, inputs: object][] = [];
  const noting = Object.fromEntries(
    Object.entries(answers).map(([token, answer]) => [
      token,
      (inputs: Record<string, unknown>) => (asked.push([token.split(":").at(-1) ?? "", inputs]), answer(inputs)),
    ]),
  );
  return withWarnings(async (warnings) => {
    const registered = await mockEngine({ answers: noting });
    const given = await ask();
    return { given, asked, warnings: warnings(), registered };
  });
}
