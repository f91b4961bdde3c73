import { useEffect, useState } from "preact/hooks";
import { type Board, boardOf, changed, type Snapshot } from "./model";
import { Refusal, type Server } from "./server";

/** The board of a server, and whether it is current. */
export interface Live {
  board?: Board;
  isLive: boolean;
  /** Message of a server that rejects the user. */
  refusal?: string;
}

/** Milliseconds from a failure to the next try. */
const pause = 1000;

/** Follows a server: reads its whole state first, then each change. */
export function useLive(server: Server | undefined): Live {
  const [live, setLive] = useState<Live>({ isLive: false });
  useEffect(() => {
    setLive({ isLive: false });
    if (!server) return;
    const stopping = new AbortController();
    void follow(server, stopping.signal, setLive);
    return () => stopping.abort();
  }, [server]);
  return live;
}

type Set = (change: (live: Live) => Live) => void;

async function follow(server: Server, signal: AbortSignal, setLive: Set): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(server, signal, setLive);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && [401, 403].includes(error.status)) {
        setLive(() => ({ isLive: false, refusal: error.message }));
        return;
      }
    }
    if (signal.aborted) return;
    setLive(({ board }) => ({ ...(board && { board }), isLive: false }));
    // The next lead broker numbers its changes differently, so the whole state is read again.
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Follows a server until the connection ends, or until the server no longer has the next changes. */
async function followOnce(server: Server, signal: AbortSignal, setLive: Set): Promise<void> {
  const snapshot = await server.get<Snapshot>("/v1/board", signal);
  setLive(() => ({ board: boardOf(snapshot), isLive: true }));
  for await (const events of server.events("/v1/events", snapshot.last, signal)) {
    if (events.some(({ kind }) => kind === "reset")) return;
    const changes = events.filter(({ kind }) => kind !== "" && kind !== "hello");
    if (changes.length > 0)
      setLive(({ board }) => ({ ...(board && { board: changed(board, changes) }), isLive: true }));
  }
}
