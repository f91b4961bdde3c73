/** A Flux hostlist (RFC 29 of Flux) of `count` hosts: `demo-0` or `demo-[0-7]`. Its length does not grow with the count. */
export function hostlist(stem: string, count: number): string {
  return count === 1 ? `${stem}-0` : `${stem}-[0-${count - 1}]`;
}
