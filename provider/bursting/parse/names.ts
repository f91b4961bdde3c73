/** The service by which brokers of other clusters reach the lead broker. */
export const leadServiceName = ({ name }: { name: string }) => `${name}-lead`;
