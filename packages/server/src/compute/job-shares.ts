/** Which job is next: start-time fair queuing over levels by their weights, and over the flows of a level alike. Pure. */

import type { WorkFlow } from '../contract/work-flow.ts';

/** What levels have had of the worker, in virtual milliseconds. Who has had nothing lately is not remembered. */
export interface JobShares {
  readonly time: number;
  readonly levels: ReadonlyMap<string, LevelShare>;
}

interface LevelShare {
  readonly finish: number;
  readonly time: number;
  /** By flow: where its next job begins. */
  readonly flows: ReadonlyMap<string, number>;
}

/** A job that waits. */
interface Waiting {
  readonly flow?: WorkFlow | undefined;
  /** It has begun, and goes on. */
  readonly isAnswered?: true | undefined;
}

export const NO_SHARES: JobShares = { time: 0, levels: new Map() };

/** Work of nobody that flow control knows. */
const NOBODY: WorkFlow = { level: '', weight: 20, isExempt: false, name: '' };
/** A job costs at least this: handing it over is work, too. */
const LEAST_MS = 1;

/** The job whose flow has had least. In a flow: first those that have begun, because what they have read grows stale. */
export function nextJob<Job extends Waiting>(shares: JobShares, jobs: readonly Job[]): Job | undefined {
  let best: { readonly job: Job; readonly tags: readonly number[] } | undefined;
  for (const job of jobs) {
    const tags = tagsOf(shares, job);
    if (best === undefined || isBefore(tags, best.tags)) best = { job, tags };
  }
  return best?.job;
}

/** A job whose objects stay in memory while it waits for an answer. */
interface Asking extends Waiting {
  readonly bytes: number;
  readonly asksOthers?: true | undefined;
}

/**
 * The jobs that may go on or begin: parsed objects are many times their bytes, and those of jobs that wait for slow webhooks would fill the
 * memory of the worker. One flow may have half of the bytes, so that it does not keep the others from beginning.
 */
export function jobsWithin<Job extends Asking>(
  jobs: readonly Job[],
  asking: readonly Job[],
  maxBytes: number,
): readonly Job[] {
  const held = asking.filter(({ asksOthers }) => asksOthers);
  if (held.length === 0) return jobs;
  const byFlow = new Map<string, number>();
  let all = 0;
  for (const job of held) {
    byFlow.set(keyOf(job), (byFlow.get(keyOf(job)) ?? 0) + job.bytes);
    all += job.bytes;
  }
  return jobs.filter((job) => {
    if (job.isAnswered || !job.asksOthers) return true;
    const own = byFlow.get(keyOf(job));
    return all + job.bytes <= maxBytes && (own === undefined || own + job.bytes <= maxBytes / 2);
  });
}

function keyOf({ flow = NOBODY }: Waiting): string {
  return `${flow.level}\0${flow.name}`;
}

/** The worker was used by a flow for so long, while these waited. */
export function afterWork(
  { time, levels }: JobShares,
  flow: WorkFlow = NOBODY,
  ms: number,
  waiting: readonly Waiting[],
): JobShares {
  const cost = Math.max(LEAST_MS, ms);
  const level = levels.get(flow.level) ?? { finish: 0, time: 0, flows: new Map<string, number>() };
  const start = Math.max(time, level.finish);
  const flowStart = level.flows.get(flow.name) ?? level.time;
  const others = new Set(waiting.flatMap(({ flow: one = NOBODY }) => (one.level === flow.level ? [one.name] : [])));
  // A later flow begins where the others are: an endless row of new names must not keep back a flow that waits.
  const levelTime = Math.max(level.time, flowStart) + cost / (2 * (others.size + 2));
  // Being idle saves up nothing; who waits keeps what it has not had yet.
  const flows = new Map(
    [...level.flows, [flow.name, flowStart + cost] as const].filter(([name, at]) => at > levelTime || others.has(name)),
  );
  const next = { finish: start + cost / flow.weight, time: levelTime, flows };
  return {
    time: start,
    levels: new Map(
      [...levels, [flow.level, next] as const].filter(
        ([name, { finish }]) => finish > start || waiting.some(({ flow: one = NOBODY }) => one.level === name),
      ),
    ),
  };
}

/** Whose job may be refused for one more of `flow`, when there is no place: the last one of the flow that holds most. */
export function displaced<Job extends Waiting & { readonly bytes: number }>(
  jobs: readonly Job[],
  arriving: Job,
): Job | undefined {
  const held = new Map<string, number>();
  // A job counts, and so do its bytes: 64 KiB are as much as a job.
  const weightOf = ({ bytes }: Job): number => 1 + bytes / 65_536;
  for (const job of jobs) held.set(keyOf(job), (held.get(keyOf(job)) ?? 0) + weightOf(job));
  const own = (held.get(keyOf(arriving)) ?? 0) + weightOf(arriving);
  let victim: Job | undefined;
  let most = own;
  for (const job of jobs) {
    const size = held.get(keyOf(job)) ?? 0;
    if (job.isAnswered || size < most || (size === most && victim === undefined)) continue;
    most = size;
    victim = job;
  }
  return victim;
}

function tagsOf({ time, levels }: JobShares, { flow = NOBODY, isAnswered }: Waiting): readonly number[] {
  const level = levels.get(flow.level);
  const begun = isAnswered ? 0 : 1;
  return [
    flow.isExempt ? 0 : 1,
    Math.max(time, level?.finish ?? 0),
    level?.flows.get(flow.name) ?? level?.time ?? 0,
    begun,
  ];
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}
