import * as pulumi from "@pulumi/pulumi";

/**
 * The options of a component as its caller has given them. The SDK's server hands them on with what is not given filled in, and
 * two of them spoilt.
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

/** The server has an empty text for each that is not given, and another name for `delete`, a reserved word. */
function givenTimeouts(timeouts: pulumi.CustomTimeouts & { pb_delete?: string } = {}): pulumi.CustomTimeouts {
  const { pb_delete, ...others } = timeouts;
  return Object.fromEntries(Object.entries({ delete: pb_delete, ...others }).filter(([, limit]) => limit));
}

/** The server reads the URN as the reference of a provider, whose last part is an id. */
function whole(resource: pulumi.Resource): pulumi.Resource {
  const { urn, id } = resource as pulumi.ProviderResource;
  return Object.assign(new pulumi.DependencyResource(""), { urn: pulumi.interpolate`${urn}::${id}` });
}
