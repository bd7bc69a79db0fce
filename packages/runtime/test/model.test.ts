import { amount } from '@listwatch/conformance/parts';
import { expect, it } from 'vitest';
import type { Checkpoint, CheckpointState } from '../src/informer/checkpoint.ts';
import type { Handlers } from '../src/informer/handler-loop.ts';
import { type Informer, informer } from '../src/informer/informer.ts';
import type { InformerOptions } from '../src/informer/informer-options.ts';
import type { StoreChange } from '../src/reflector/store-change.ts';
import { ChangeRecord, versionsOf } from './change-record.ts';
import { type Thing, things } from './model-object.ts';
import { ModelServer } from './model-server.ts';
import { endTrouble, randomTrouble } from './random-trouble.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? amount(300, 1000));
const FIRST_SEED = Number(process.env['MODEL_SEED'] ?? 1);
const CHUNK = 100;

/** Longer than a silent watch and three of the longest pauses. */
const QUIET_MS = 400_000;

/** Reads the changes, now and then slowly. */
async function readSlowly(
  source: Informer<Thing>,
  record: ChangeRecord,
  policy: 'fail' | 'latest',
  server: ModelServer,
) {
  let read = 0;
  for await (const change of source.changes({ policy })) {
    record.note(change);
    read += 1;
    if (read % 3 === 0) {
      await new Promise<void>((resolve) => {
        server.clock.after(700, resolve);
      });
    }
  }
}

function handle(record: ChangeRecord): Handlers<Thing> {
  const note = (change: StoreChange<Thing>): void => record.note(change);
  return { add: note, update: note, delete: note };
}

/** A checkpoint that survives the informer, as a file survives the program. */
function memoryCheckpoint(): Checkpoint {
  let saved: { readonly versions: CheckpointState['versions']; readonly lines: readonly string[] } | undefined;
  return {
    load: async () =>
      saved === undefined
        ? undefined
        : { versions: saved.versions, objects: saved.lines.map((line) => JSON.parse(line)) },
    save: async (_, { versions, objects }) => {
      saved = { versions, lines: Array.from(objects, (object) => Buffer.from(object).toString()) };
    },
  };
}

/** Holds the store and every reader against the server. */
async function compare(server: ModelServer, source: Informer<Thing>, records: readonly ChangeRecord[]): Promise<void> {
  const truth = versionsOf(server.state);
  const cached = new Map(Array.from(source.store.keys(), (key) => [key, source.store.get(key) ?? never(key)]));
  expect(versionsOf(cached), 'the store').toEqual(truth);
  expect(source.status.phase).toBe('live');
  await source.store.waitFor(String(server.revision));
  for (const record of records) {
    expect(record.problems).toEqual([]);
    expect(versionsOf(record.known), 'what a reader believes').toEqual(truth);
  }
}

async function run(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const server = new ModelServer();
  for (let n = 0; n < random.below(8); n += 1) server.put(`a/${n}`);
  server.lag = random.below(3);
  const options: InformerOptions<Thing> = {
    random: () => random.next(),
    initialStrategy: random.pick('auto', 'auto', 'listWatch', 'streamingList'),
    listSemantic: random.pick('any', 'mostRecent'),
    compact: random.chance(0.3),
    onWarning: ({ message }) => expect.fail(message),
    ...(random.chance(0.3) ? { pageSize: 2 } : {}),
    ...(random.chance(0.2) ? { namespaces: ['a', 'b', 'c'] } : {}),
    ...(random.chance(0.5) ? { checkpoint: memoryCheckpoint() } : {}),
  };
  let source = informer(server, things, options);
  let records: ChangeRecord[] = [];
  let readers: Promise<void>[] = [];
  const close = async (): Promise<void> => {
    const closing = source.close();
    await server.clock.advance(1_000);
    await closing;
    await Promise.all(readers);
    expect(server.watches.size, 'watches left open').toBe(0);
  };
  for (let round = 0; round < 2; round += 1) {
    // Late ones too, in the second round: they must find a snapshot that fits the changes after it.
    const restores = (): number => server.restores;
    const added = [new ChangeRecord(restores), new ChangeRecord(restores), new ChangeRecord(restores)] as const;
    source.on(handle(added[0]));
    source.on(handle(added[1]), { policy: 'fail' });
    readers.push(readSlowly(source, added[2], random.pick('fail', 'latest'), server));
    records.push(...added);
    await trouble(server, random, 12 + random.below(12));
    if (random.chance(0.3)) source.resync();
    await trouble(server, random, 4);
    endTrouble(server);
    // Only who wants streaming alone depends on the server for it.
    server.streaming = 'done';
    await server.clock.advance(QUIET_MS);
    server.bookmark();
    await server.clock.advance(10_000);
    await compare(server, source, records);
    if (round === 0 && random.chance(0.5)) {
      await close();
      await trouble(server, random, 4);
      [records, readers] = [[], []];
      source = informer(server, things, options);
    }
  }
  await close();
  expect(server.clock.pending, 'timers left behind').toBe(0);
}

async function trouble(server: ModelServer, random: SeededRandom, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    randomTrouble(server, random);
    if (random.chance(0.7)) await server.clock.advance(random.pick(0, 1, 500, 3_000, 20_000, 100_000));
  }
}

function never(key: string): never {
  throw new Error(`${key} is among the keys and not in the store`);
}

for (let from = FIRST_SEED; from < FIRST_SEED + RUNS; from += CHUNK) {
  const until = Math.min(from + CHUNK, FIRST_SEED + RUNS);
  it(`whatever happens, the store becomes the server and readers are told a legal story: seeds ${from} to ${until - 1}`, async () => {
    for (let seed = from; seed < until; seed += 1) {
      try {
        await run(seed);
      } catch (error) {
        throw new Error(`seed ${seed} (MODEL_SEED=${seed} MODEL_RUNS=1): ${String(error)}`, { cause: error });
      }
    }
  });
}
