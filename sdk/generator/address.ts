import packageJson from "../../package.json";

/** Names that are derived from the address of the repository. */
export interface Address {
  owner: string;
  /** Web address of the repository. */
  url: string;
  /** Download address of the plugin's archives: the releases of the repository. */
  pluginDownloadURL: string;
  /** Module of the SDK for Go, in the folder sdk/go of the repository. */
  goModule: string;
  /** Namespace of the SDK for .NET, which contains the namespace of the package. */
  dotnetNamespace: string;
  /** Java package that contains the Java package of the SDK, and group of the artifact. */
  javaPackage: string;
}

/** Placeholder for the repository's owner until the first publication. */
export const placeholder = "owner-unset";

const github = /^(?:git\+)?https:\/\/github\.com\/([a-z\d](?:-?[a-z\d])*)\/([\w.-]+?)(?:\.git)?$/i;

/** The names that are derived from the address of a repository on GitHub. */
export function addressOf(repository: string): Address {
  const [, owner, name] = github.exec(repository) ?? [];
  if (owner === undefined || name === undefined)
    throw new Error(`${repository} is not a repository on GitHub; write https://github.com/<owner>/<name>`);
  const words = owner.split("-");
  const url = `https://github.com/${owner}/${name}`;
  return {
    owner,
    url,
    pluginDownloadURL: `github://api.github.com/${owner}/${name}`,
    goModule: `${url.slice("https://".length)}/sdk/go`,
    // Neither language accepts a hyphen, or a digit at the beginning of a name.
    dotnetNamespace: identifier(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")),
    javaPackage: `io.github.${identifier(words.join("").toLowerCase())}`,
  };
}

const identifier = (text: string) => (/^\d/.test(text) ? `_${text}` : text);

/** The address of this package. Its only source is `repository` in package.json; `npm run address` changes it. */
export const address = addressOf(packageJson.repository.url);
