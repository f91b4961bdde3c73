import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(__dirname, "../../../../..");
const PYTHONPATH = ["provider/brokers/flux/programs", "tests/support/fluxPython"]
  .map((directory) => path.join(root, directory))
  .join(":");

/** Commits of the program, for events that come at once or after a pause ("-"), until the journal ends. */
async function commits(events: string[]): Promise<[flags: number, changes: object][]> {
  const program = `
import errno, json, flux, flux.kvs, checkpoint
events = json.loads('${JSON.stringify([...events, "-", null])}')
class Handle:
    def rpc(self, topic, payload, node, flags):
        assert (topic, payload, flags) == ("job-manager.events-journal", {"full": False}, 2)
        return self
    def wait_for(self, timeout):
        if events[0] == "-":
            events.pop(0)
            if timeout > 0:
                raise TimeoutError()
        return self
    def get(self):
        if events[0] is None:
            raise OSError(errno.ENODATA, "No data available")
        return {"id": 1, "events": [{"name": events[0], "timestamp": 1.0}]}
    def reset(self):
        events.pop(0)
flux.Flux = Handle
try:
    checkpoint.follow()
except OSError as error:
    print(json.dumps([str(error), flux.kvs.commits]))`;
  const run = promisify(execFile)("python3", ["-B", "-c", program], { env: { ...process.env, PYTHONPATH } });
  const [reason, found] = JSON.parse((await run).stdout) as [string, [number, object][]];
  assert.equal(reason, "the journal has ended");
  return found;
}

describe("the program that writes the state of an instance to its volume", () => {
  // FLUX_KVS_SYNC of flux_kvs_commit(3): the commit is a checkpoint.
  const sync = 4;
  const number = (count: number) => [sync, { "minicluster.checkpoint": count }];

  it("makes one checkpoint for the events that come together, and one for those after a pause", async () => {
    assert.deepEqual(await commits(["a", "b", "c"]), [number(1)]);
    assert.deepEqual(await commits(["a", "b", "-", "c"]), [number(1), number(2)]);
  });
});
