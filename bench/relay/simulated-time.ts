/** Time that goes on only when something happens, and event loops that take it. */

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly task: () => void;
}

/** A heap of what is to happen. Milliseconds. */
export class SimulatedTime {
  readonly #heap: Happening[] = [];
  #order = 0;
  #now = 0;

  get now(): number {
    return this.#now;
  }

  at(ms: number, task: () => void): void {
    this.#order += 1;
    const heap = this.#heap;
    heap.push({ at: Math.max(ms, this.#now), order: this.#order, task });
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(at(heap, parent), at(heap, index))) break;
      swap(heap, parent, index);
      index = parent;
    }
  }

  after(ms: number, task: () => void): void {
    this.at(this.#now + ms, task);
  }

  /** Until nothing more is to happen, or this moment has come. */
  run(until: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#removeFirst();
      this.#now = next.at;
      next.task();
    }
    this.#now = Math.max(this.#now, until);
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && isBefore(at(heap, right), at(heap, left)) ? right : left;
      if (isBefore(at(heap, index), at(heap, child))) return;
      swap(heap, index, child);
      index = child;
    }
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function at(heap: readonly Happening[], index: number): Happening {
  const found = heap[index];
  if (found === undefined) throw new RangeError(`nothing at ${index}`);
  return found;
}

function swap(heap: Happening[], one: number, other: number): void {
  [heap[one], heap[other]] = [at(heap, other), at(heap, one)];
}

interface Job {
  readonly ms: number;
  readonly done: () => void;
}

/** Cores that some loops share: a job waits until one is free. */
export class SimulatedCores {
  readonly #time: SimulatedTime;
  readonly #waiting: Job[] = [];
  #first = 0;
  #free: number;

  constructor(time: SimulatedTime, count: number) {
    this.#time = time;
    this.#free = count;
  }

  run(job: Job): void {
    if (this.#free === 0) this.#waiting.push(job);
    else {
      this.#free -= 1;
      this.#start(job);
    }
  }

  #start(job: Job): void {
    this.#time.after(job.ms, () => {
      const next = this.#waiting[this.#first];
      if (next === undefined) this.#free += 1;
      else {
        this.#first += 1;
        if (this.#first > 1000) this.#first -= this.#waiting.splice(0, this.#first).length;
        this.#start(next);
      }
      job.done();
    });
  }
}

/** An event loop: one job after the other. */
export class SimulatedLoop {
  readonly #cores: SimulatedCores;
  #jobs: Job[] = [];
  #isBusy = false;
  /** Milliseconds that its jobs have taken. */
  spentMs = 0;

  constructor(cores: SimulatedCores) {
    this.#cores = cores;
  }

  push(ms: number, done: () => void): void {
    this.#jobs.push({ ms, done });
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const job = this.#jobs.shift();
    this.#isBusy = job !== undefined;
    if (job === undefined) return;
    this.#cores.run({
      ms: job.ms,
      done: () => {
        this.spentMs += job.ms;
        job.done();
        this.#next();
      },
    });
  }
}
