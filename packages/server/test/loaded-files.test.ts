import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadedFiles } from './loaded-files.ts';

const SOURCE = 'packages/server/src';

function within(files: readonly string[], folder: string): readonly string[] {
  return files.filter((file) => file.startsWith(`${folder}/`));
}

/** These numbers may only shrink: a larger one is a file that a reader has to open. */
const FEED_FILES = 6;
const WATCH_FILES = 42;
/** Without `access`, which every request goes through. */
const CREATE_FILES = 95;
/** The table of docs/design/0034 says what a POST of a small object runs in each room: what a newcomer reads is what is held here. */
const NOTE = new URL('../../../docs/design/0034-write-pipeline.md', import.meta.url);
const WRITE_OWN_FILES = 15;
/** Authentication to audit, aggregation, addresses, the worker thread, and admission by webhooks and policies are features of their own. */
const OTHER_ROOMS = ['access', 'addresses', 'aggregate', 'compute', 'forward', 'write/admission'];
const SERVER_LINES = 30_150;

const WRITE = fileURLToPath(new URL('../src/write/', import.meta.url));
const PIPELINE = readFileSync(`${WRITE}pipeline.ts`, 'utf8');

/** The names of the stages of a verb between `read` and `commit`, as `pipeline.ts` lists them. */
function stagesOf(verb: string): readonly string[] {
  const draft = new RegExp(`^  ${verb}: \\[(.*)\\],$`, 'mu').exec(PIPELINE)?.[1] ?? '';
  const shared = /^const TO_ENCODE = \[(.*)\] as const;$/mu.exec(PIPELINE)?.[1] ?? '';
  const names = draft.replace('...TO_ENCODE', shared).split(', ');
  if (names.length < 5) throw new Error(`pipeline.ts lists only ${names.join(', ')} for a ${verb}`);
  return names;
}

/** The file of a stage: `fill` is in `default.ts`. */
function fileOf(stage: string): string {
  const file = new RegExp(`^import \\{ ${stage} \\} from '\\./(.*)';$`, 'mu').exec(PIPELINE)?.[1];
  if (file === undefined) throw new Error(`pipeline.ts imports no stage ${stage}`);
  return file;
}

/** The rooms whose code a stage calls, in order. Admission is called through the context of the write; `removed` is for deletions. */
function roomsOf(source: string): readonly string[] {
  const imports = Array.from(source.matchAll(/^(?:import|\}) (?!type ).*from '(\.\.?)\/([a-z-]+)\/.*';$/gmu));
  const rooms = imports.map(([, from, room = '']) => (from === '.' ? `write/${room}` : room));
  return [...new Set([...rooms, ...(/\badmission\.(?!removed\()\w+\(/u.test(source) ? ['write/admission'] : [])])];
}

describe('the files that a reader opens', () => {
  it('for the feed of the storage are few, and none of them is a rule or a schema', async () => {
    const files = await loadedFiles(`${SOURCE}/cache/storage-feed.ts`);
    for (const name of ['rules', 'kinds', 'schema', 'cel']) expect(within(files, `packages/${name}`)).toEqual([]);
    expect(within(files, SOURCE).length, within(files, SOURCE).join('\n')).toBeLessThanOrEqual(FEED_FILES);
  });

  it('for the caches and the watches on them are few, and none of them is a rule', async () => {
    const files = await loadedFiles(`${SOURCE}/watch/cache-set.ts`, `${SOURCE}/watch/watch-hub.ts`);
    expect(within(files, 'packages/rules')).toEqual([]);
    expect(within(files, SOURCE).length, within(files, SOURCE).join('\n')).toBeLessThanOrEqual(WATCH_FILES);
  });

  // The way of the request, the stages of the write, and what admission and quotas do with it.
  it('for a POST do not become more', async () => {
    const parts = ['route/pipeline', 'write/pipeline', 'write/admission/server-admission'];
    const files = within(await loadedFiles(...parts.map((part) => `${SOURCE}/${part}.ts`)), SOURCE).filter(
      (file) => !file.startsWith(`${SOURCE}/access/`),
    );
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(CREATE_FILES);
  });

  it('for what a POST of a small object runs are in each room as few as its design note says', async () => {
    const program = fileURLToPath(new URL('run-files.ts', import.meta.url));
    const flags = ['--conditions=@listwatch/source', '--import', 'tsx'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, program]);
    const files: readonly string[] = JSON.parse(stdout);
    const noted = new Map(
      Array.from(readFileSync(NOTE, 'utf8').matchAll(/^\| `([a-z/]+)\/` +\| +(\d+) \|/gmu), ([, room = '', count]) => [
        room,
        Number(count),
      ]),
    );
    const rooms = [...noted.keys()].toSorted((left, right) => right.length - left.length);
    const roomOf = (file: string): string => rooms.find((room) => file.startsWith(`${room}/`)) ?? file;
    const byRoom = new Map<string, string[]>();
    for (const file of files) byRoom.set(roomOf(file), [...(byRoom.get(roomOf(file)) ?? []), file]);
    for (const [room, own] of byRoom) expect(own.length, own.join('\n')).toBeLessThanOrEqual(noted.get(room) ?? 0);
    // The table has no room that is not entered.
    expect([...byRoom.keys()].toSorted()).toEqual([...noted.keys()].toSorted());
    // The registry says what is served; nothing else of the kinds is asked.
    expect(within(files, 'kinds')).toEqual(['kinds/resource-registry.ts']);
  }, 120_000);

  it('for a POST are in rooms that its stages enter once each, but for the rules', () => {
    const entered: string[] = [];
    for (const stage of ['read', ...stagesOf('create'), 'commit']) {
      const source = readFileSync(`${WRITE}${fileOf(stage)}`, 'utf8');
      for (const room of roomsOf(source)) if (entered.at(-1) !== room) entered.push(room);
    }
    expect(entered).toEqual(['write/body', 'write/owners', 'write/admission', 'stored']);
  });

  it('of the write itself, beside its rooms, are its stages and few more', () => {
    const own = readdirSync(fileURLToPath(new URL('../src/write/', import.meta.url))).filter(
      (file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/u.test(file),
    );
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(WRITE_OWN_FILES);
  });
});

it('the server does not become longer than it has to be: rules and schemas have packages of their own', () => {
  const folder = fileURLToPath(new URL('../src/', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !/\.(?:test|test-d|fixture)\.ts$/u.test(file) &&
      !OTHER_ROOMS.some((room) => file.startsWith(`${room}/`)),
  );
  const lines = sources.map((file) => readFileSync(`${folder}${file}`, 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(SERVER_LINES);
});
