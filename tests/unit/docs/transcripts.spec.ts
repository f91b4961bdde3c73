import assert from "node:assert/strict";

import { changed, type Command, missing } from "../../support/transcripts";

/** Lines of a page that a command has not printed at their place. */
const lacks = (prints: string, output: string, text = "flux jobs") => {
  const command: Command = { place: "a page:1", text, prints: prints.split("\n") };
  return missing(command, output);
};

describe("the transcript of a command on a page", () => {
  it("accepts an output of another run, and of another machine", () => {
    assert.equal(
      lacks("free 4 8 0 lab-[0-3]\nDuration: 9s\n", "  free   4  96  0 lab-[0-3]\n\nDuration: 2m3s\n"),
      undefined,
    );
    assert.equal(lacks("lab-0-x7f2k Running 12s", "lab-0-9bcdf   Running   1m"), undefined);
  });

  it("rejects another value, another order, and a line more or less", () => {
    assert.deepEqual(lacks("free 4 8 0 lab-[0-3]", "free 3 8 0 lab-[0-2]"), ["free 4 CORES 0 lab-[0-3]"]);
    assert.deepEqual(lacks("a\nb", "b\na"), ["a", "b"]);
    assert.deepEqual(lacks("a", "a\nb"), ["a"]);
    assert.deepEqual(lacks("a\nb", "a"), ["a", "b"]);
    assert.deepEqual(lacks("", "a"), []);
  });

  it("finds the lines between omitted ones, in order", () => {
    assert.equal(lacks("a\n…\nc", "a\nb\nb\nc"), undefined);
    assert.equal(lacks("…\nb\n…", "a\nb\nc"), undefined);
    assert.equal(lacks("…\nb", "b\na\nb"), undefined);
    assert.equal(lacks("…", ""), undefined);
    assert.equal(lacks("a …\nb", "a c\nb"), undefined);
    assert.deepEqual(lacks("a …\nb", "c\nb"), ["a …", "b"]);
    assert.deepEqual(lacks("…\nc\n…\nb\n…", "a\nb\nc"), ["b"]);
    assert.deepEqual(lacks("…\nb", "a\nb\nc"), ["b"]);
    assert.deepEqual(lacks("a\n…\na", "a"), ["a"]);
  });

  it("ignores the order of the tasks of a job alone", () => {
    assert.equal(lacks("lab-0\nlab-1", "lab-1\nlab-0", "flux run -N2 hostname"), undefined);
    assert.deepEqual(lacks("lab-0\nlab-1", "lab-1\nlab-1", "flux run -N2 hostname"), ["lab-0", "lab-1"]);
  });

  it("changes the one place of the program in YAML that a page changes in TypeScript", () => {
    const yaml = 'lab:\n  size: 4\n  command: "hostname"\n';
    assert.equal(
      changed(yaml, ["-  size: 4,", "+  size: 8,", "+  tasks: 2,"], "a page:1"),
      yaml.replace("4", "8\n  tasks: 2"),
    );
    assert.equal(
      changed(yaml, ['-  command: "hostname",', '+  command: "ls /a",'], "a page:1"),
      yaml.replace("hostname", "ls /a"),
    );
    assert.throws(() => changed(yaml, ["-  size: 5,", "+  size: 8,"], "a page:1"), /a page:1: 0 places/);
    assert.throws(() => changed(`${yaml}${yaml}`, ["-  size: 4,"], "a page:1"), /a page:1: 2 places/);
  });
});
