/** A relay with a journal and 500 informers is killed and started again: who lists anew, who misses or repeats what, and for how long. */

import { join } from 'node:path';
import { monotonicMs } from '../capacity/watcher-plan.ts';
import { atRate } from '../server/at-rate.ts';
import { configMap, configMapPath, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { digits, middle, percentile99, record } from '../server/result.ts';
import { InformerFleet } from './informer-fleet.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const INFORMERS = 500;
const RATE = 10;
const SECONDS = 20;
const KILLED_AT = 60;
const GOAL_RESUMED_MS = 1000;
const SETTLE_MS = 3000;

/** Changes go on all the time. */
export async function benchRestart({ upstream, plan }: RelayStage): Promise<void> {
  const server = upstream.target;
  const journal = join(plan.folder, 'restart-journal');
  await using relay = new ServedRelay({ ...plan, flags: [...(plan.flags ?? []), '--journal', journal] });
  await relay.start();
  await using fleet = new InformerFleet();
  const from = await resourceVersion(server);
  await fleet.follow(relay.target, INFORMERS, from);
  let version = Date.now() % 1e8;
  let openedAt = 0;
  let restarted: Promise<{ readonly listensMs: number; readonly readyMs: number }> | undefined;
  await withConnections(server, 'h1', 4, async (writers) => {
    const start = monotonicMs();
    const due = (i: number): number => start + (i * 1000) / RATE;
    await atRate(writers, { count: RATE * SECONDS, due, now: monotonicMs }, async (writer, i) => {
      if (i === KILLED_AT) {
        restarted = relay.end('SIGKILL').then(async () => {
          const began = monotonicMs();
          const times = await relay.start();
          openedAt = began + times.listensMs;
          return times;
        });
      }
      version += 1;
      const body = configMap(i % 100, version);
      const { status } = await writer.ask({ method: 'PUT', path: configMapPath(objectName(i % 100)), body });
      if (status !== 200) throw new Error(`an update was answered with ${status}`);
    });
  });
  const times = await restarted;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const reports = await fleet.report();
  const sum = (of: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((all, each) => all + of(each), 0);
  const stories = new Map<string, number>();
  for (const [story, followers] of reports.flatMap((each) => each.stories)) {
    stories.set(story, (stories.get(story) ?? 0) + followers);
  }
  const whole = [...stories].find(([story]) => story.startsWith(`${RATE * SECONDS}:`))?.[1] ?? 0;
  const { target } = relay;
  const facts = { reconnects: sum(({ reconnects }) => reconnects), listensMs: digits(times?.listensMs ?? 0) };
  const bench = `SIGKILL and restart, ${INFORMERS} informers`;
  const none = { atMost: 0 };
  record(target, { bench: `${bench}, relists`, value: sum(({ relists }) => relists), unit: '', goal: none, ...facts });
  record(target, { bench: `${bench}, other than all changes once`, value: INFORMERS - whole, unit: '', goal: none });
  record(target, { bench: `${bench}, repeated`, value: sum(({ repeated }) => repeated), unit: '', goal: none });
  const waits = reports.flatMap(({ resumedAt }) => resumedAt.map((at) => at - openedAt));
  record(target, {
    bench: `${bench}, from the open port to the next event, p99`,
    value: percentile99(waits),
    unit: 'ms',
    goal: { atMost: GOAL_RESUMED_MS },
    p50: digits(middle(waits)),
    readyMs: digits(times?.readyMs ?? 0),
  });
}
