/** A subnet as EC2 describes it. */
export interface Subnet {
  id: string;
  availabilityZone: string;
  /** True if its machines get public addresses, as they do in a public subnet alone. */
  mapPublicIpOnLaunch: boolean;
}

/** Where subnets are, in words. */
export const describePlaces = (all: Pick<Subnet, "id" | "availabilityZone">[]) =>
  all.map(({ id, availabilityZone }) => `${id} in ${availabilityZone}`).join(", ");
