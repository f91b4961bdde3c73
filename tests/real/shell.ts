import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";

import type { Command } from "../support/transcripts";

/** What a command has printed, and its exit status. */
export interface Outcome {
  output: string;
  status: number;
}

/** Limit of a command on a page, which may wait for pods. */
const longest = 300_000;

/** A shell without a terminal, in which commands run one after the other. */
export class Shell {
  private readonly child: ChildProcess;
  private printed = "";
  private heard: () => void = () => undefined;
  private isOver = false;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.child = spawn("bash", ["--noprofile", "--norc"], { cwd, env, detached: true });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", (text: string) => {
        this.printed += text;
        this.heard();
      });
    }
    this.child.stdin?.on("error", () => undefined);
    this.child.on("close", () => {
      this.isOver = true;
      this.heard();
    });
  }

  /** Runs a command in the innermost shell, without input. */
  run(command: string): Promise<Outcome> {
    return this.until(this.send(command, "</dev/null"));
  }

  /** Runs a command of a page. One that opens a shell gets those in it as its input, one by one. */
  async perform(command: Command, report: (command: Command, outcome: Outcome) => void): Promise<void> {
    if (!command.inside) return report(command, await this.run(command.text));
    const end = this.send(command.text);
    const { output } = await this.run(":");
    for (const inner of command.inside) await this.perform(inner, report);
    this.child.stdin?.write("exit\n");
    const { status } = await this.until(end);
    report(command, { output, status });
  }

  /** Ends it, and what runs in it. */
  end(): void {
    if (this.child.pid && !this.isOver) process.kill(-this.child.pid, "SIGKILL");
  }

  /** Sends a command, and returns what is printed after it. */
  private send(command: string, redirection = ""): string {
    const mark = `end-${randomBytes(6).toString("hex")}`;
    const quoted = `'${command.replaceAll("'", `'\\''`)}'`;
    // In two parts, because a shell may repeat its input.
    this.child.stdin?.write(`eval ${quoted} ${redirection} 2>&1; echo "end-""${mark.slice(4)} $?"\n`);
    return mark;
  }

  private async until(mark: string): Promise<Outcome> {
    const pattern = new RegExp(`${mark} (\\d+)\\n`);
    const limit = Date.now() + longest;
    for (;;) {
      const found = pattern.exec(this.printed);
      if (found) {
        const output = this.printed.slice(0, found.index);
        this.printed = this.printed.slice(found.index + found[0].length);
        return { output, status: Number(found[1]) };
      }
      if (this.isOver) throw new Error(`the shell has ended; it printed\n${this.printed}`);
      if (Date.now() > limit) throw new Error(`no end after ${longest / 1000} s; it printed\n${this.printed}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
