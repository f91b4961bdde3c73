import contract from "../core/contract.json";

/** The Service of the console, and the network policy that admits its users. */
export const consoleName = ({ name }: { name: string }) => `${name}-console`;

/** TCP port at which the lead broker's pod serves the console, unless another one is chosen. */
export const defaultConsolePort = 8062;

/** Key of the Secret with the certificate that holds the users of the console. */
export const consoleUsersFile = contract.files.consoleUsers;
