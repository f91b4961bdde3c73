import { stripVTControlCharacters } from "node:util";

/**
 * Text from a container or from the API server without the characters that a terminal interprets: such text could clear the screen,
 * forge lines of the engine or set the clipboard.
 */
export const printable = (text: string) =>
  stripVTControlCharacters(text).replace(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu, "");

/** Words as a list in a sentence, such as "a, b and c". */
export const andList = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}` : words.join("");
