/** Version of this package, the same as in package.json, which is not beside the plugin's executable. */
export const version = "0.1.0";

const repository = "github.com/owner-unset/pulumi-minicluster";

/** Download server of the plugin of this package, for an engine that has not installed it. */
export const pluginDownloadURL = `github://api.${repository}`;
