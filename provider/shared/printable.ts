// Escape sequences of a terminal (ECMA-48): with parameters, with a text, and short ones.
const escapes =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

// Control characters except tab and line feed, and those that reverse the direction of a text.
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from a container or from the API server without the characters that a terminal interprets: such text could clear the screen,
 * forge lines of the engine or set the clipboard.
 */
export const printable = (text: string) => text.replace(escapes, "").replace(controls, "");
