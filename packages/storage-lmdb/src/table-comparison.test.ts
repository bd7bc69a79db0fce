import { describe, expect, it } from 'vitest';
import type { LogRecord } from './log-record.ts';
import { compareLog, compareVersionTables } from './table-comparison.ts';
import type { VersionKey } from './version-key.ts';

const record = (key: string, previous = 0, deleted = false): LogRecord => ({
  key,
  previous,
  deleted,
  time: 0,
  total: 0,
});
const version = (key: string, revision: number, deleted = false): VersionKey => ({ key, revision, deleted });

function foundInLog(revisions: readonly number[], revision: number, compacted: number): readonly string[] {
  const findings: string[] = [];
  compareLog(new Map(revisions.map((one) => [one, record('k')])), { revision, compacted }, findings);
  return findings;
}

async function compared(versions: readonly VersionKey[], records: readonly (readonly [number, LogRecord])[]) {
  const findings: string[] = [];
  const newest = await compareVersionTables(versions, new Map(records), findings);
  return { findings, newest: [...newest] };
}

describe('the log', () => {
  it.each<[string, readonly number[], number, number]>([
    ['a new store', [], 1, 0],
    ['every revision', [2, 3, 4], 4, 0],
    ['what was compacted is gone', [4, 5], 5, 3],
    ['what was compacted waits to be swept, with gaps', [2, 4, 5, 6], 6, 5],
    ['everything was compacted', [], 7, 7],
    ['the record of the compacted revision is there', [3, 4], 4, 3],
    ['a store that was restored jumps ahead', [2, 3, 90], 90, 90],
  ])('is sound when %s', (_, revisions, revision, compacted) => {
    expect(foundInLog(revisions, revision, compacted)).toEqual([]);
  });

  it.each<[string, readonly number[], number, number, readonly string[]]>([
    ['a gap', [2, 4], 4, 0, ['the log jumps from 2 to 4']],
    ['a gap behind the compacted revision', [3, 4, 6], 6, 3, ['the log jumps from 4 to 6']],
    ['an end that is too early', [2, 3], 4, 0, ['the log ends at 3, the store is at 4']],
    ['an end that is too late', [2, 3, 4], 3, 0, ['the log ends at 4, the store is at 3']],
    ['no beginning', [3, 4], 4, 0, ['the log begins at 3, compacted is 0']],
    ['no beginning behind what was compacted', [5], 5, 3, ['the log begins at 5, compacted is 3']],
    ['nothing', [], 4, 0, ['the log begins at 5, compacted is 0']],
    ['a store behind its compaction', [], 4, 5, ['the log ends at undefined, the store is at 4']],
  ])('is damaged with %s', (_, revisions, revision, compacted, messages) => {
    expect(foundInLog(revisions, revision, compacted)).toEqual(messages);
  });
});

describe('versions and records', () => {
  /** a: 2, 4, deleted at 6, again at 7; b: 3, 5. Newest first, as the table has them. */
  const VERSIONS = [
    version('a', 7),
    version('a', 6, true),
    version('a', 4),
    version('a', 2),
    version('b', 5),
    version('b', 3),
  ];
  const RECORDS: readonly (readonly [number, LogRecord])[] = [
    [2, record('a')],
    [3, record('b')],
    [4, record('a', 2)],
    [5, record('b', 3)],
    [6, record('a', 4, true)],
    [7, record('a')],
  ];
  const without = (revision: number) => VERSIONS.filter((one) => one.revision !== revision);
  const changed = (revision: number, by: LogRecord) =>
    RECORDS.map(([at, one]) => [at, at === revision ? by : one] as const);

  it('fit together in a sound store, which has the newest of each key that is there', async () => {
    expect(await compared(VERSIONS, RECORDS)).toEqual({
      findings: [],
      newest: [
        ['a', 7],
        ['b', 5],
      ],
    });
    const deleted = VERSIONS.slice(1);
    expect((await compared(deleted, RECORDS.slice(0, -1))).newest).toEqual([['b', 5]]);
    expect(await compared([], [])).toEqual({ findings: [], newest: [] });
  });

  it.each<[string, readonly VersionKey[], readonly (readonly [number, LogRecord])[], readonly string[]]>([
    [
      'a record without its version',
      without(5),
      RECORDS,
      ['revision 5 of b has no version', 'the version of b that 5 replaced is missing'],
    ],
    [
      'a version that was replaced and is gone',
      without(3),
      RECORDS,
      ['revision 3 of b has no version', 'the version of b that 5 replaced is missing'],
    ],
    [
      'a deletion without its record',
      VERSIONS,
      RECORDS.filter(([at]) => at !== 6),
      ['the deletion of a at 6 is not in the log', 'a at 4 was replaced by 6, which is not in the log'],
    ],
    [
      'a record of another key',
      VERSIONS,
      changed(3, record('c')),
      ['revision 3 is c in the log and b in the versions'],
    ],
    [
      'a record that says deleted',
      VERSIONS,
      changed(3, record('b', 0, true)),
      ['revision 3 is b in the log and b in the versions'],
    ],
    ['a record that continues another version', VERSIONS, changed(4, record('a', 1)), ['a at 4 does not continue 2']],
    ['a creation that continues a deletion', VERSIONS, changed(7, record('a', 6)), ['a at 7 does not continue 6']],
  ])('are damaged with %s', async (_, versions, records, messages) => {
    expect((await compared(versions, records)).findings).toEqual(messages);
  });

  it('give other work its turn', async () => {
    let turns = 0;
    let next: NodeJS.Immediate | undefined;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    const many = Array.from({ length: 10_000 }, (_, index) => version(`k${String(index).padStart(5, '0')}`, index + 2));
    const records = many.map(({ key, revision }) => [revision, record(key)] as const);
    expect((await compared(many, records)).findings).toEqual([]);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(turns).toBeLessThan(100);
  });
});
