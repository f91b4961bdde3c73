/** Version of this package, the same as in package.json, which the executable of the plugin does not have beside it. */
export const version = "0.1.0";
