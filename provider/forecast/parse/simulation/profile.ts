import type { Amounts } from "../shape";

/** Resources that are released at a time. */
export interface Release extends Amounts {
  until: number;
}

/** Free resources over time, in steps. */
export class Profile {
  private readonly times = [-Infinity];
  private readonly cores: number[] = [];
  private readonly gpus: number[] = [];

  /** Resources that are free, and what is released at later times. */
  constructor(free: Amounts, releases: Iterable<Release> = []) {
    let { cores, gpus } = free;
    for (const release of [...releases].sort((a, b) => a.until - b.until)) {
      if (release.until === Infinity) break;
      if (release.until !== this.times.at(-1)) {
        this.cores.push(cores);
        this.gpus.push(gpus);
        this.times.push(release.until);
      }
      cores += release.cores;
      gpus += release.gpus;
    }
    this.cores.push(cores);
    this.gpus.push(gpus);
  }

  copy(): Profile {
    const copy = new Profile({ cores: 0, gpus: 0 });
    for (const key of ["times", "cores", "gpus"] as const) copy[key].splice(0, 1, ...this[key]);
    return copy;
  }

  /** Adds free resources from a time on, until another. */
  add(from: number, until: number, { cores, gpus }: Amounts): void {
    const [first, last] = [this.split(from), this.split(until)];
    for (let step = first; step < last; step++) {
      this.cores[step]! += cores;
      this.gpus[step]! += gpus;
    }
  }

  /** Resources that are free for some seconds from a time on. */
  leastIn(from: number, seconds: number): Amounts {
    let step = this.stepAt(from);
    let [cores, gpus] = [this.cores[step]!, this.gpus[step]!];
    for (step++; step < this.times.length && this.times[step]! < from + seconds; step++) {
      cores = Math.min(cores, this.cores[step]!);
      gpus = Math.min(gpus, this.gpus[step]!);
    }
    return { cores, gpus };
  }

  /** The first change after a time. */
  nextAfter(time: number): number {
    return this.times[this.stepAt(time) + 1] ?? Infinity;
  }

  /** The first change at a time or after it. */
  nextFrom(time: number): number {
    const step = this.stepAt(time);
    return this.times[step] === time ? time : (this.times[step + 1] ?? Infinity);
  }

  /** The step at a time. */
  private stepAt(time: number): number {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The step that begins at a time, which it adds if there is none. */
  private split(time: number): number {
    if (time === Infinity) return this.times.length;
    const step = this.stepAt(time);
    if (this.times[step] === time) return step;
    this.times.splice(step + 1, 0, time);
    this.cores.splice(step + 1, 0, this.cores[step]!);
    this.gpus.splice(step + 1, 0, this.gpus[step]!);
    return step + 1;
  }
}
