/** How the storage benches measure: fixed work or fixed time, rates per second, CPU of this process, JSON lines out. */

/** What a run of a loop gave. */
export interface Measured {
  readonly perSecond: number;
  /** Microseconds of this process' CPU for one operation, all threads. */
  readonly cpuMicros: number;
}

/** Prints one result as a JSON line. */
export function report(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line));
}

/** Runs `operation` from `concurrency` loops for about `ms`; each loop awaits its own operations. */
export async function loops(
  concurrency: number,
  ms: number,
  operation: (i: number) => Promise<unknown>,
): Promise<Measured> {
  let done = 0;
  let next = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const deadline = started + ms;
  const loop = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const i = next;
      next += 1;
      await operation(i);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return measured(done, performance.now() - started, process.cpuUsage(cpu));
}

/** Times one piece of work that does `count` operations. */
export async function once(count: number, work: () => Promise<unknown>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  return measured(count, performance.now() - started, process.cpuUsage(cpu));
}

function measured(count: number, ms: number, cpu: NodeJS.CpuUsage): Measured {
  return {
    perSecond: Math.round((count / ms) * 1000),
    cpuMicros: Math.round(((cpu.user + cpu.system) / count) * 10) / 10,
  };
}

/** The middle one by rate: a noisy neighbour spoils one round, not the result. */
export function median(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new RangeError('no rounds to take the median of');
  return middle;
}

/** Ours and a bare loop, turn by turn so that both meet the same noise; prints both and the ratio. */
export async function compare(
  name: string,
  facts: Readonly<Record<string, unknown>>,
  rounds: number,
  ours: () => Promise<Measured>,
  bare: () => Promise<Measured>,
): Promise<void> {
  const [a, b]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    a.push(await ours());
    b.push(await bare());
  }
  const [own, other] = [median(a), median(b)];
  const ratio = Math.round((own.perSecond / other.perSecond) * 100) / 100;
  report({ bench: name, ...facts, ours: own, bare: other, ratio });
}
