/** The parts of initial events share the event loop with others: the real gate and the real cursor, on a clock of their own. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { EVERY_FIELD, EVERY_LABEL } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchForm } from '../../answer/watch-form.ts';
import { configMap } from '../../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../../watch/cache-set.ts';
import { TestSink } from '../../watch/test-sink.fixture.ts';
import { FakeLoop } from './fake-loop.fixture.ts';
import { FlowSink } from './flow-sink.ts';
import { LoopGate } from './loop-gate.ts';
import { type LoopClaim, LoopFlow, LoopLevel } from './loop-share.ts';

const OBJECTS = 100;
/** Seven of them are more than a part. */
const OBJECT_BYTES = 10_000;
const PARTS = 14;
const WINDOW = { minCapacity: 1000, maxCapacity: 1000 };

let engine: StorageEngine;
let caches: StorageCaches;

beforeEach(async () => {
  engine = createMemoryEngine({ firstRevision: 1n });
  caches = storageCaches({ engine, definitions: [configMap], clock: new FakeClock(), window: () => WINDOW });
  await caches.feed.start();
  const { cache } = caches.kind(configMap);
  let last = 0n;
  for (let index = 0; index < OBJECTS; index += 1) {
    const metadata = { name: `a${index + 100}`, namespace: 'x' };
    const data = { text: 'x'.repeat(OBJECT_BYTES) };
    const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata, data });
    const key = `${cache.root}x/${metadata.name}`;
    last = requireCommitted(await engine.commit({ type: 'put', key, value }), key);
  }
  await caches.feed.reached(last);
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

/** A socket: to send a part takes the thread so long. Where a socket fills up, the watch hears later that it has emptied. */
class CostlySink extends TestSink {
  readonly #onPart: () => void;

  constructor(onPart: () => void) {
    super();
    this.#onPart = onPart;
  }

  override write(frames: readonly Buffer[]): boolean {
    this.#onPart();
    return super.write(frames);
  }
}

class Scene {
  readonly loop = new FakeLoop();
  readonly gate = new LoopGate(this.loop);
  readonly level = new LoopLevel(20, false);
  readonly claim: LoopClaim = { flow: new LoopFlow(this.level), spentMs: 0 };
  readonly ran: string[] = [];
  readonly sink: CostlySink;
  #isOver = false;

  constructor(ms: number) {
    this.sink = new CostlySink(() => {
      this.ran.push('part');
      this.loop.compute(ms);
    });
  }

  /** Stretches of somebody else, all of whom wait from the beginning. */
  others(count: number, ms: number): void {
    const flow = new LoopFlow(this.level);
    const ask = async (): Promise<void> => {
      await this.gate.turn({ flow, spentMs: 0 });
      this.ran.push('other');
      this.loop.compute(ms);
    };
    for (let index = 0; index < count; index += 1) this.loop.arrive(0, () => void ask());
  }

  /** Opens a watch that begins with all objects. */
  open(as: 'metadata' | 'table'): void {
    const { cache, hub } = caches.kind(configMap);
    const { revision } = cache.requireReady();
    const form = watchForm(cache, { mediaType: 'application/json', as, metaVersion: 'v1', pretty: false });
    const request = {
      scope: { namespace: '', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD },
      form,
      initial: cache.requireReady().snapshot(),
      after: revision,
      bookmarks: false,
      markInitialEnd: false,
      deadline: 3_600_000,
    };
    const start = async (): Promise<void> => {
      await this.gate.turn(this.claim);
      const turn = (): Promise<void> | undefined => this.gate.turn(this.claim);
      hub.watch(request, new FlowSink(this.sink, { turn, onBegun: () => (this.#isOver = true) }));
    };
    this.loop.arrive(0, () => void start());
  }

  /** Until all objects are out. Node's event loop turns beside that of the scene. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.loop.run(this.loop.now() + 1);
      if (this.sink.full) this.sink.drain();
      await nextTurn();
    }
    await this.loop.run();
  }

  /** The longest run of parts without anybody else between them, while somebody waited. */
  get longest(): number {
    const last = this.ran.lastIndexOf('other');
    return Math.max(
      ...this.ran
        .slice(0, last)
        .join()
        .split('other')
        .map((run) => run.split('part').length - 1),
    );
  }
}

describe('the parts of initial events', () => {
  it.each([1, 3])('are one turn each where they make a break, and others run between (%d ms each)', async (ms) => {
    const scene = new Scene(ms);
    scene.others(2 * PARTS * ms, 1);
    scene.open('table');
    await scene.run();
    expect(scene.sink.frames).toHaveLength(OBJECTS);
    expect(scene.ran.filter((one) => one === 'part').length).toBeGreaterThanOrEqual(PARTS);
    expect(scene.longest).toBeLessThanOrEqual(ms === 1 ? 2 : 1);
  });

  it('are one turn each where the socket is full, and others run between', async () => {
    const scene = new Scene(3);
    scene.sink.full = true;
    const { sink } = scene;
    const write = sink.write.bind(sink);
    sink.write = (frames) => {
      sink.full = true;
      return write(frames);
    };
    scene.others(6 * PARTS, 1);
    scene.open('metadata');
    await scene.run();
    expect(sink.frames).toHaveLength(OBJECTS);
    expect(scene.longest).toBe(1);
  });

  it.each([1, 3])('are all charged, also when nobody waits (%d ms each)', async (ms) => {
    const scene = new Scene(ms);
    scene.open('table');
    await scene.run();
    const parts = scene.ran.length;
    expect(parts).toBeGreaterThanOrEqual(PARTS);
    expect([scene.claim.spentMs, scene.claim.flow.use.total]).toEqual([parts * ms, parts * ms]);
  });
});
