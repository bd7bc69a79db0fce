/** Measures the unit costs of the model in small runs, with the benches of the server where there is one. */

import { benchFanOut } from '../server/fan-out.ts';
import { benchIdleWatchers } from '../server/idle-watchers.ts';
import { benchList } from '../server/list.ts';
import { OBJECTS, payloadOf, seed } from '../server/objects.ts';
import { type Engine, type OwnServer, startOwnServer } from '../server/own-server.ts';
import { recorded } from '../server/result.ts';
import { benchSteadyFanOut } from '../server/steady-fan-out.ts';
import { inScratch } from '../storage/scratch.ts';
import { measureApply } from './measured-apply.ts';
import { measureObjects } from './measured-objects.ts';
import { benchWrites } from './measured-writes.ts';
import type { DeliveryCosts, SizedCost, Transport, UnitCosts } from './unit-costs.ts';

const SMALL = 512;
const LARGE = 4096;
/** The ConfigMaps of the server benches. */
const MIDDLE = 1600;
const STEADY_RATE = 40;
const STEADY_SECONDS = 8;
const WATCHERS = 500;
/** Events in one write to a socket during a burst. */
const BURST_EVENTS = 20;
/** What `change-window.ts` counts. */
const CHANGE_BYTES = 200;

/** All of them; four minutes. Connections, deliveries and lists do not depend on the engine, and are measured on one. */
export async function measureUnitCosts(): Promise<Readonly<Record<'etcd' | 'lmdb', UnitCosts>>> {
  const wire = await measureWire();
  const lmdb = { ...wire, ...(await measureEngine('lmdb')), applyMicros: 0 };
  const etcd = { ...wire, ...(await measureEngine('etcd')), applyMicros: await measureApply() };
  return { lmdb, etcd };
}

type EngineCosts = Pick<
  UnitCosts,
  'aloneMicros' | 'baseBytes' | 'loadMicros' | 'objectBytes' | 'patchMicros' | 'writeMicros'
>;

async function measureEngine(storage: Engine): Promise<EngineCosts> {
  const small = await measureObjects(storage, SMALL);
  const large = await measureObjects(storage, LARGE);
  const between = (a: number, b: number): SizedCost => line([small.size, a], [large.size, b]);
  const create = between(small.createMicros, large.createMicros);
  const name = await withServer(storage, async (server) => {
    await seed(server);
    await benchWrites(server);
    return server.name;
  });
  const value = (bench: string): number => recorded({ name }, bench).value;
  return {
    baseBytes: small.baseBytes,
    objectBytes: between(small.bytes, large.bytes),
    writeMicros: create,
    patchMicros: { fixed: Math.max(0, value('patch of a Pod') - create.perByte * MIDDLE), perByte: create.perByte },
    aloneMicros: Math.max(0, value('replace, alone') - value('replace')),
    loadMicros: (small.loadMicros + large.loadMicros) / 2,
  };
}

async function measureWire(): Promise<Omit<UnitCosts, keyof EngineCosts | 'applyMicros'>> {
  for (const protocol of ['h1', 'h2'] as const) {
    await withServer('lmdb', (server) => benchIdleWatchers(server, [protocol]));
  }
  return withServer('lmdb', async (server) => {
    await seed(server);
    await benchList(server, ['h1']);
    await benchWrites(server);
    await benchFanOut(server);
    await benchFanOut(server, { bench: 'large fan-out', payload: payloadOf(LARGE) });
    await benchSteadyFanOut(server, { seconds: STEADY_SECONDS, rates: [STEADY_RATE] });
    const value = (bench: string): number => recorded(server, bench).value;
    const idle = (transport: Transport, fact: string): number =>
      Number(recorded(server, `idle watcher ${transport}`)[fact]);
    const delivery = (transport: Transport): DeliveryCosts => {
      const [burst, largeBurst] = [value(`fan-out ${transport}`), value(`large fan-out ${transport}`)];
      const steady = value(`steady ${STEADY_RATE}/s ${transport}`);
      const [together, alone] = [value('replace') / WATCHERS, value('replace, alone') / WATCHERS];
      // A delivery of a steady update is a write to a socket with one event; one of a burst has a share of such a write.
      const flush = Math.max(0, (steady - alone - (burst - together)) / (1 - 1 / BURST_EVENTS));
      const share = together + flush / BURST_EVENTS;
      return { flush, event: line([MIDDLE, burst - share], [LARGE, largeBurst - share]) };
    };
    return {
      changeBytes: CHANGE_BYTES,
      connectionBytes: { h1: idle('h1', 'connectionKb') * 1024, h2: idle('h2', 'connectionKb') * 1024 },
      watcherBytes: { h1: value('idle watcher h1') * 1024, h2: value('idle watcher h2') * 1024 },
      // A percent of a core is 10 000 us a second.
      idleWatcherMicros: (idle('h2', 'idleCpuPercent') * 10_000) / idle('h2', 'watchers'),
      delivery: { h1: delivery('h1'), h2: delivery('h2') },
      listMicros: listCost(value('list h1') * 1000, value('list-page h1') * 1000),
    };
  });
}

function withServer<T>(storage: Engine, work: (server: OwnServer) => Promise<T>): Promise<T> {
  return inScratch(async (folder) => {
    const server = await startOwnServer({ folder, storage });
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  });
}

/** Of all objects and of a page of a tenth of them. */
function listCost(all: number, page: number): SizedCost {
  return line([(OBJECTS / 10) * MIDDLE, page], [OBJECTS * MIDDLE, all]);
}

/** Neither part of a cost is below nothing, whatever the noise. */
function line([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): SizedCost {
  const perByte = Math.max(0, (y2 - y1) / (x2 - x1));
  return { fixed: Math.max(0, y1 - perByte * x1), perByte };
}
