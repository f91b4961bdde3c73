import { waitFor } from "../sandbox/waiting";
import { tokenOf } from "../support/consoleServer";
import { patience } from "./lab";
import type { Look } from "./look";

/** Options of a request as a user of a console. */
export const as = (user: string, method = "GET") => ({ method, headers: { authorization: `Bearer ${tokenOf(user)}` } });

/** The address of the console in the lead broker's pod, once it shows so many hosts. */
export async function serving(cluster: Look, hosts: number, user = "ann", port = 8062): Promise<string> {
  const { pod } = await cluster.pod(0);
  const url = `http://${(pod["status"] as { podIP: string }).podIP}:${port}`;
  const answers = () => hostsOf(url, user).then((found) => found.length === hosts);
  await waitFor("the hosts in the console", () => answers().catch(() => false), patience, 500);
  return url;
}

/** The hosts that a console shows. */
export async function hostsOf(url: string, user: string): Promise<{ host: string; state: string; cluster: string }[]> {
  const { hosts } = (await (await fetch(`${url}/v1/hosts`, as(user))).json()) as { hosts: [] };
  return hosts;
}

/** Waits until a console shows the hosts in these states. */
export async function showsHosts(url: string, user: string, want: Record<string, string>): Promise<void> {
  const isSo = async () => {
    const states = Object.fromEntries((await hostsOf(url, user)).map(({ host, state }) => [host, state]));
    return JSON.stringify(states) === JSON.stringify(want);
  };
  await waitFor(`the hosts to be ${JSON.stringify(want)}`, isSo, patience, 500);
}
