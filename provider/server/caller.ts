import * as pulumi from "@pulumi/pulumi";

/**
 * Options of a component as its caller gave them. The SDK's server fills in options that were not given, and passes two
 * of them on in a wrong form.
 */
export function callerOptions(options: pulumi.ComponentResourceOptions): pulumi.ComponentResourceOptions {
  const { customTimeouts, retainOnDelete, deletedWith, ...others } = options;
  return {
    ...others,
    customTimeouts: givenTimeouts(customTimeouts),
    // A parent that retains its children asks only those that do not say anything.
    ...(retainOnDelete && { retainOnDelete }),
    ...(deletedWith && { deletedWith: whole(deletedWith) }),
  };
}

/**
 * Timeouts as they were given: the server has an empty string for each missing one, and another name for `delete`, a
 * reserved word.
 */
function givenTimeouts(timeouts: pulumi.CustomTimeouts & { pb_delete?: string } = {}): pulumi.CustomTimeouts {
  const { pb_delete, ...others } = timeouts;
  return Object.fromEntries(Object.entries({ delete: pb_delete, ...others }).filter(([, limit]) => limit));
}

/** The resource with its whole URN: the server takes a URN for the reference of a provider, whose last part is an id. */
function whole(resource: pulumi.Resource): pulumi.Resource {
  const { urn, id } = resource as pulumi.ProviderResource;
  return Object.assign(new pulumi.DependencyResource(""), { urn: pulumi.interpolate`${urn}::${id}` });
}

const lookEveryMillis = 1000;

/**
 * Ends this process when its parent process has ended, for whatever reason: the SDK's server would wait for calls of an
 * engine for ever. A server without the address of an engine was started by hand, and stays up for engines that come and
 * go.
 */
export function endWithEngine(args: string[]): void {
  if (!args.some((arg) => !arg.startsWith("-"))) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, lookEveryMillis).unref();
}
