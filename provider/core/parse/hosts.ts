import { isIP, isIPv4 } from "node:net";
import { integer, nonEmptyText } from "../../shared/checks";
import { maxPods } from "./names";

/** The hosts of one cluster. */
export const hosts = integer(1, maxPods);

const isHost = (text: string) => isIPv4(text) || /^(?=.{1,253}$)[A-Za-z0-9]([-.\w]*\w)?$/.test(text);

/**
 * IP address or host name of the lead broker. A long or unprintable value, such as a certificate in the wrong place, is
 * not shown.
 */
export const address = nonEmptyText.refine(isHost, {
  error: ({ input }) => {
    const shown = typeof input === "string" && /^[ -~]{1,64}$/.test(input) ? `${JSON.stringify(input)} ` : "";
    if (typeof input === "string" && isIP(input) === 6)
      return `${shown}is an IPv6 address, and the brokers use IPv4; give a host name or an IPv4 address`;
    return `${shown}must be an IP address or a host name; the port is a separate property`;
  },
});

/** A Flux property (RFC 20 of Flux), without the sign of negation and without blanks, which end a property. */
export const property = nonEmptyText.refine((value) => /^[^\s^&'"`|(),:]+$/.test(value), {
  error: (issue) => `${JSON.stringify(issue.input)} must be a Flux property such as "gpu" or "rack-7"`,
});
