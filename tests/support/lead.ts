import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a stand-in of the lead broker's pod tells of a queue: what is not named is 0. */
export interface Demand {
  running?: number;
  allocated?: number;
  drained?: number;
  highestRank?: number;
  pending?: { id: string; hosts: number }[];
}

/** The document of a demand, as the lead broker's program writes it. */
export const demandText = ({ allocated = 0, ...demand }: Demand) =>
  JSON.stringify({
    ...{ running: 0, drained: 0, allocated, highestRank: Math.max(0, allocated - 1), pending: [] },
    ...demand,
  });

/** A stand-in of the lead broker's pod, which tells an agent what a test wants. */
export interface StandInLead {
  url: string;
  /** Tells a demand, or any text, or one text after the other, of which the last one stays. */
  tell: (demand: Demand | string | string[]) => void;
  /** Answers as this function does, until it tells something again. */
  answer: (respond: (response: ServerResponse) => void) => void;
  /** Paths that were asked for by somebody who has the key. */
  asked: string[];
  stop: () => void;
}

const sign = (key: Buffer, ...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("hex");

/** Starts a stand-in of the lead broker's pod at a path of this machine. */
export async function startLead(path: string, key: Buffer = Buffer.alloc(0)): Promise<StandInLead> {
  let texts = [demandText({})];
  let respond: ((response: ServerResponse) => void) | undefined;
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const [nonce = "", proof] = (request.headers.authorization ?? "").split(" ");
    const url = request.url ?? "";
    if (proof !== sign(key, "ask", nonce, url)) return void response.writeHead(403).end();
    asked.push(url);
    if (respond) return respond(response);
    const text = (texts.length > 1 ? texts.shift() : texts[0]) ?? "";
    response.setHeader("Proof", sign(key, "tell", nonce, text));
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    tell: (told) => {
      respond = undefined;
      texts = Array.isArray(told) ? [...told] : [typeof told === "string" ? told : demandText(told)];
    },
    answer: (other) => (respond = other),
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
