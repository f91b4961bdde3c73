import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The demand of a stand-in of the lead broker's pod: absent values are 0. */
export interface Demand {
  running?: number;
  allocated?: number;
  drained?: number;
  unusable?: number;
  reason?: string;
  pending?: { id: string; hosts: number; never?: boolean }[];
  /** Default: the hosts with jobs, and those that pending ones request. */
  needed?: number;
  /** Hosts before the first drained one. Default: all hosts may be removed at once. */
  closedFrom?: number;
  leaving?: number;
}

/** The document of a demand, as the lead broker's program writes it. */
export function demandText({ allocated = 0, pending = [], ...demand }: Demand): string {
  const jobs = pending.map((job) => ({ never: false, ...job }));
  const asked = jobs.filter(({ never }) => !never).reduce((sum, { hosts }) => sum + hosts, 0);
  return JSON.stringify({
    running: 0,
    drained: 0,
    unusable: 0,
    reason: "",
    allocated,
    pending: jobs,
    ticket: "1",
    needed: Math.ceil(allocated + asked),
    closedFrom: 0,
    leaving: 0,
    ...demand,
  });
}

/** A stand-in of the lead broker's pod, with the demand that a test sets. */
export interface StandInLead {
  url: string;
  /** Sets a demand, or any text, or one text after the other, of which the last one stays. */
  setDemand: (demand: Demand | string | string[]) => void;
  /** Answers as this function does, until the next demand is set. */
  answer: (respond: (response: ServerResponse) => void) => void;
  /** Requests of a client with the key. */
  asked: string[];
  stop: () => void;
}

const sign = (key: Buffer, ...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("hex");

/** Starts a stand-in of the lead broker's pod at a path of this machine. */
export async function startLead(path: string, key: Buffer = Buffer.alloc(0)): Promise<StandInLead> {
  let texts = [demandText({})];
  let respond: ((response: ServerResponse) => void) | undefined;
  const asked: string[] = [];
  const seen = new Set<string>();
  const server = createServer((request: IncomingMessage, response) => {
    const [nonce = "", proof] = (request.headers.authorization ?? "").split(" ");
    const { method = "", url = "" } = request;
    if (proof !== sign(key, "request", nonce, method, url)) return void response.writeHead(403).end();
    if (!nonce.startsWith("stand-in.") || seen.has(nonce))
      return void response.writeHead(401, { Token: "stand-in" }).end();
    seen.add(nonce);
    asked.push(`${method} ${url}`);
    if (respond) return respond(response);
    const text = method === "POST" ? "" : ((texts.length > 1 ? texts.shift() : texts[0]) ?? "");
    response.setHeader("Proof", sign(key, "answer", nonce, text));
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    setDemand: (demand) => {
      respond = undefined;
      texts = Array.isArray(demand) ? [...demand] : [typeof demand === "string" ? demand : demandText(demand)];
    },
    answer: (other) => (respond = other),
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
