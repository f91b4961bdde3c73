import contract from "../core/contract.json";

/** Name of the Service of the console, and of the network policy that allows connections of its users. */
export const consoleName = ({ name }: { name: string }) => `${name}-console`;

/** TCP port at which the lead broker's pod serves the console by default. */
export const defaultConsolePort = 8062;

/** Key of the Secret with the certificate that holds the users of the console. */
export const consoleUsersFile = contract.files.consoleUsers;
