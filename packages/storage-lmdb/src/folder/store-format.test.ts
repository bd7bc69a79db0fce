import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLogRecord, encodeRevision } from '../log-record.ts';
import { openTablesAt, type Tables, writeAll } from '../tables.ts';
import { checkFormat, FORMAT_VERSION, requireFormat } from './store-format.ts';

let folder = '';
let tables: Tables;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-mark-'));
  tables = openTablesAt(join(folder, 'data.mdb'));
});
afterEach(async () => {
  await tables.root.close();
  rmSync(folder, { recursive: true });
});

describe('a store without a mark', () => {
  it('is marked when it is empty, and is a store from then on', () => {
    checkFormat(tables, folder);
    const mark = { product: 'listwatch', version: FORMAT_VERSION };
    expect(requireFormat(tables.facts.get('format'), folder)).toEqual(mark);
    checkFormat(tables, folder);
    expect(tables.facts.get('format')).toEqual(mark);
  });

  it.each<[string, (store: Tables) => void]>([
    [
      'records',
      ({ log }) =>
        log.put(encodeRevision(2), encodeLogRecord({ key: 'a', deleted: false, time: 0, previous: 0, total: 0 })),
    ],
    ['a history that was compacted', ({ facts }) => facts.putSync('compacted', 7)],
  ])('is refused when it has %s: another program wrote them', async (_, write) => {
    await writeAll(tables, [() => write(tables)]);
    expect(() => checkFormat(tables, folder)).toThrow(expect.objectContaining({ code: 'INCOMPATIBLE' }));
    expect(tables.facts.get('format')).toBeUndefined();
  });
});
