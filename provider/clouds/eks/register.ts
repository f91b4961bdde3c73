import { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";

/** A provider for the AWS Price List, which is in few regions, with the default credentials. */
export const registerPriceList = (name: string): pulumi.ProviderResource => new Provider(name, { region: "us-east-1" });

const shared = new WeakMap<object, pulumi.ProviderResource>();

/** The provider for all lookups of a program. One process may run several programs, each with a separate monitor. */
export function sharedPriceList(): pulumi.ProviderResource {
  const program = pulumi.runtime.getMonitor() ?? {};
  const provider = shared.get(program) ?? registerPriceList("minicluster-price-list");
  shared.set(program, provider);
  return provider;
}
