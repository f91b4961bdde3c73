/** Times at which something happens: a heap whose first time is the earliest. */
export class Times {
  private readonly heap: number[] = [];

  /** Adds a time. Infinity is no time. */
  add(time: number): void {
    if (time === Infinity) return;
    const { heap } = this;
    let place = heap.push(time) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (heap[parent]! <= time) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = time;
  }

  /** Removes and returns the earliest time, once if it was added several times. Infinity if there is none. */
  next(): number {
    const first = this.remove();
    while (this.heap[0] === first) this.remove();
    return first;
  }

  private remove(): number {
    const { heap } = this;
    const first = heap[0] ?? Infinity;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = (heap[left + 1] ?? Infinity) < (heap[left] ?? Infinity) ? left + 1 : left;
      if ((heap[child] ?? Infinity) >= last) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}
