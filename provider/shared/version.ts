/** Version of this package, the same as in package.json, which the executable of the plugin does not have beside it. */
export const version = "0.1.0";

const repository = "github.com/owner-unset/pulumi-minicluster";

/** Where the engine finds the plugin of this package, if it is not installed. */
export const pluginDownloadURL = `github://api.${repository}`;
