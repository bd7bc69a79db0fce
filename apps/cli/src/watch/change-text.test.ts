import { painter } from '@listwatch/api/internal';
import { describe, expect, it } from 'vitest';
import { timeOfDay } from '../terminal/elapsed-text.ts';
import { type ChangeFormat, changePrinter } from './change-text.ts';
import type { WatchedChange } from './watched-change.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const TIME = timeOfDay(NOW);

function change(
  type: WatchedChange['type'],
  name: string,
  rest: object = {},
  others: Partial<WatchedChange> = {},
): WatchedChange {
  const metadata = {
    namespace: 'shop',
    name,
    resourceVersion: '7',
    creationTimestamp: '2026-01-02T03:02:00Z',
    labels: { app: 'web', tier: 'front' },
  };
  return { type, object: { metadata, ...rest }, initial: false, finalStateKnown: true, ...others };
}

function lines(
  format: ChangeFormat,
  changes: readonly WatchedChange[],
  { colours = false, allNamespaces = false } = {},
): string[] {
  const print = changePrinter({ format, paint: painter(colours, {}), typeName: 'pod', allNamespaces });
  return changes.map((one) => print(one, NOW));
}

describe('a change as text', () => {
  it('has its time, what happened, the name and the state; names stay below one another as far as one knows them', () => {
    const pending = { status: { phase: 'Pending' } };
    expect(lines('text', [change('ADDED', 'web-1', pending), change('MODIFIED', 'db', pending)])).toEqual([
      `${TIME} ADDED    web-1 Pending`,
      `${TIME} MODIFIED db    Pending`,
    ]);
  });

  it('names the namespace when all of them are watched', () => {
    expect(lines('text', [change('DELETED', 'db')], { allNamespaces: true })).toEqual([`${TIME} DELETED  shop/db`]);
  });

  it('marks objects that existed before, and deletes that were missed', () => {
    expect(
      lines('text', [
        change('ADDED', 'a', {}, { initial: true }),
        change('DELETED', 'a', {}, { finalStateKnown: false }),
      ]),
    ).toEqual([`${TIME} EXISTS   a`, `${TIME} DELETED  a deleted while disconnected`]);
  });

  it('that is wide has the version, the age and the labels as well', () => {
    expect(lines('wide', [change('ADDED', 'a', { status: { phase: 'Running' } })])).toEqual([
      `${TIME} ADDED    a @7 2m5s   app=web,tier=front Running`,
    ]);
  });

  it('is coloured on a terminal', () => {
    const [line] = lines('text', [change('ADDED', 'a')], { colours: true });
    expect(line).toBe(`\u001B[2m${TIME}\u001B[22m \u001B[32mADDED   \u001B[39m a`);
  });
});

describe('a change as JSON', () => {
  it('is the event of the wire, on one line', () => {
    const added = change('ADDED', 'a', { data: { text: 'two\nlines' } });
    expect(lines('json', [added])).toEqual([JSON.stringify({ type: 'ADDED', object: added.object })]);
  });

  it('marks objects that existed before, and deletes that were missed', () => {
    const [before, missed] = lines('json', [
      change('ADDED', 'a', {}, { initial: true }),
      change('DELETED', 'a', {}, { finalStateKnown: false }),
    ]).map((line) => JSON.parse(line));
    expect(before).toMatchObject({ type: 'ADDED', initial: true });
    expect(missed).toMatchObject({ type: 'DELETED', finalStateKnown: false });
  });
});

it('a change as a name is what kubectl takes for one', () => {
  expect(lines('name', [change('ADDED', 'web-1')])).toEqual(['pod/web-1']);
});

it.each<ChangeFormat>(['text', 'wide', 'json', 'name'])(
  'a change as %s cannot steer a terminal, whatever its names, labels and messages are',
  (format) => {
    const evil = '\u001b[2J\u009b1m\r\n\u202eevil\u2028\u007f';
    const metadata = { namespace: evil, name: evil, resourceVersion: evil, labels: { [evil]: evil } };
    const object = { metadata, reason: evil, message: evil, status: { phase: evil } };
    for (const allNamespaces of [true, false]) {
      const [line] = lines(format, [change('ADDED', 'a', object)], { allNamespaces });
      expect(line).toContain('evil');
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }
  },
);

describe('the state of an object', () => {
  it.each([
    [{ status: { phase: 'Running' } }, 'Running'],
    [{ spec: { replicas: 3 }, status: { readyReplicas: 2 } }, '2/3 ready'],
    [{ spec: { replicas: 1 } }, '0/1 ready'],
    [{ status: { conditions: [{ type: 'DiskFull' }, { type: 'Ready', status: 'False' }] } }, 'Ready=False'],
    [{ reason: 'Pulled', message: 'got the image' }, 'Pulled: got the image'],
    [{ reason: 'Evil', message: 'a\u001B[2Jb\nc' }, String.raw`Evil: a\u001b[2Jb\nc`],
    [{ data: { a: '1' } }, ''],
    [{ status: 'odd', spec: null }, ''],
  ])('%j is %j', (rest, expected) => {
    expect(lines('text', [change('ADDED', 'a', rest)])).toEqual([`${TIME} ADDED    a ${expected}`.trimEnd()]);
  });
});
