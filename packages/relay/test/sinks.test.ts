import { expect, it } from 'vitest';
import { SinkWorld, told } from './sink-world.fixture.ts';

/** `npm run test:sinks` has a tenth of a million. */
const RELAYS = Number(process.env['RELAY_SINK_RELAYS'] ?? 4);
const SINKS = Number(process.env['RELAY_SINKS'] ?? 250);
const CHANGES = Number(process.env['RELAY_SINK_CHANGES'] ?? 20);
const WARM_UP = 3;
const LIMIT_MS = 60_000 + RELAYS * SINKS * CHANGES;

it(
  'every watcher of every relay sees every change once and in order',
  async () => {
    const empty = process.memoryUsage();
    const opening = process.cpuUsage();
    await using world = await SinkWorld.start({ relays: RELAYS, sinksPerRelay: SINKS });
    const opened = process.cpuUsage(opening);
    let hash = 0;
    let cpu = process.cpuUsage();
    const rounds: number[] = [];
    for (let i = 0; i < WARM_UP + CHANGES; i += 1) {
      if (i === WARM_UP) cpu = process.cpuUsage();
      const { version, ms } = await world.change();
      hash = told(hash, version);
      if (i >= WARM_UP) rounds.push(ms);
    }
    const { stories, repeated } = world.report();
    expect([...stories]).toEqual([[`${WARM_UP + CHANGES}:${hash}`, RELAYS * SINKS]]);
    expect(repeated).toBe(0);
    if (process.env['RELAY_SINKS'] === undefined) return;
    const { user, system } = process.cpuUsage(cpu);
    const facts = {
      relays: RELAYS,
      sinks: world.sinks,
      changes: CHANGES,
      microsPerDelivery: (user + system) / world.sinks / CHANGES,
      openingMicros: (opened.user + opened.system) / world.sinks,
      roundMsMiddle: rounds.toSorted((a, b) => a - b)[rounds.length >> 1],
      roundMsLongest: Math.max(...rounds),
      bytesPerSink: (process.memoryUsage().rss - empty.rss) / world.sinks,
    };
    process.stdout.write(`${JSON.stringify(facts)}\n`);
  },
  LIMIT_MS,
);
