import { describe, expect, it } from 'vitest';
import {
  decodeDelete,
  decodeHeaderRevision,
  decodeRange,
  decodeTxn,
  encodeCompaction,
  encodeCount,
  encodeDelete,
  encodeDeleteIf,
  encodePut,
  encodePutIfVersion,
  encodePutsIf,
  encodeRange,
} from './kv-messages.ts';
import { decodeAuthenticate, decodeLeaseGrant, encodeAuthenticate, encodeLeaseGrant } from './lease-messages.ts';
import { decodeWatchResponse, encodeWatchCreate, encodeWatchProgress } from './watch-messages.ts';

const key = Buffer.from('/r/a');
const rangeEnd = Buffer.from('/r/b');
const value = Buffer.from('v');
const lease = 7587883212297104641n;
/** The bytes of the root `/r/`. */
const rootBytes = 3;

/** Every vector here was written by etcd's own Go code. */
const header = '0a1b08b298eaf1948386fccd0110cdd2918bd2b881cf8e0118ac022002';

const vector = (hex: string): Buffer => Buffer.from(header + hex, 'hex');

describe('requests are what etcd’s own client writes', () => {
  it.each<[string, Buffer, string]>([
    ['Range', encodeRange({ key, rangeEnd, limit: 500, revision: 300n }), '0a042f722f6112042f722f6218f40320ac02'],
    ['Range, count only', encodeCount(key), '0a042f722f614801'],
    ['Put with lease', encodePut({ key, value, lease }), '0a042f722f611201761881daf9d0c4f2e4a669'],
    ['DeleteRange of one key', encodeDelete(key), '0a042f722f61'],
    [
      'Txn: put if absent',
      encodePutsIf([{ key, value, lease: 0n }], { own: 0n, others: [] }),
      '0a0a10021a042f722f613000120b12090a042f722f611201761a080a060a042f722f61',
    ],
    [
      'Txn: delete if at 300',
      encodeDeleteIf(key, { own: 300n, others: [] }),
      '0a0b10021a042f722f6130ac0212081a060a042f722f611a080a060a042f722f61',
    ],
    [
      'Txn: put if written five times',
      encodePutIfVersion({ key, value, lease: 0n }, 5),
      '0a081a042f722f612005120b12090a042f722f611201761a080a060a042f722f61',
    ],
    ['Compaction', encodeCompaction(300n), '08ac02'],
    ['LeaseGrant', encodeLeaseGrant(63), '083f'],
    ['Authenticate', encodeAuthenticate('root', 'pw'), '0a04726f6f7412027077'],
    ['Watch create', encodeWatchCreate({ key, rangeEnd }, 300), '0a150a042f722f6112042f722f6218ac02200130014001'],
    ['Watch progress', encodeWatchProgress(), '1a00'],
  ])('%s', (_, encoded, hex) => {
    expect(encoded.toString('hex')).toBe(hex);
  });
});

describe('answers of etcd are read', () => {
  const entry = { key: 'a', value: new Uint8Array(value), modRevision: 300n };

  it('Range', () => {
    const message = vector('121a0a042f722f61100c18ac0220042a01763081daf9d0c4f2e4a66918012009');
    expect(decodeRange(message, rootBytes)).toEqual({ revision: 300, entries: [entry], more: true, count: 9 });
  });

  it('Put and DeleteRange', () => {
    expect(decodeHeaderRevision(vector(''))).toBe(300);
    expect(decodeDelete(vector('1001'))).toEqual({ revision: 300, deleted: 1 });
    expect(decodeDelete(vector(''))).toEqual({ revision: 300, deleted: 0 });
  });

  it('Txn that went through, and one that was refused', () => {
    expect(decodeTxn(vector('10011a0712050a0318ac02'), rootBytes)).toMatchObject({
      revision: 300,
      succeeded: true,
      current: undefined,
      version: 0,
    });
    const refused = '1a250a230a0318ac02121a0a042f722f61100c18ac0220042a01763081daf9d0c4f2e4a6692001';
    expect(decodeTxn(vector(refused), rootBytes)).toMatchObject({
      revision: 300,
      succeeded: false,
      current: entry,
      version: 4,
    });
  });

  it('LeaseGrant and Authenticate', () => {
    expect(decodeLeaseGrant(vector('1081daf9d0c4f2e4a669183f'))).toBe(lease);
    expect(decodeAuthenticate(vector('12056162632e31'))).toBe('abc.1');
  });

  it('Watch: created, events with previous values in a fragment, compacted, progress', () => {
    const none = { created: false, canceled: false, compactRevision: 0, cancelReason: '', fragment: false, events: [] };
    expect(decodeWatchResponse(vector('1801'), rootBytes)).toEqual({ ...none, revision: 300, created: true });
    const events =
      '38015a2f121a0a042f722f61100c18ac0220042a01763081daf9d0c4f2e4a6691a110a042f722f61100c180c20012a036f6c64' +
      '5a0d080112090a042f722f6118ac02';
    expect(decodeWatchResponse(vector(events), rootBytes)).toEqual({
      ...none,
      revision: 300,
      fragment: true,
      events: [
        {
          type: 'put',
          kv: { entry, createRevision: 12, modRevision: 300, version: 4 },
          previous: { key: 'a', value: new Uint8Array(Buffer.from('old')), modRevision: 12n },
        },
        {
          type: 'delete',
          kv: {
            entry: { key: 'a', value: new Uint8Array(), modRevision: 300n },
            createRevision: 0,
            modRevision: 300,
            version: 0,
          },
          previous: undefined,
        },
      ],
    });
    expect(decodeWatchResponse(vector('200128fa01320178'), rootBytes)).toEqual({
      ...none,
      revision: 300,
      canceled: true,
      compactRevision: 250,
      cancelReason: 'x',
    });
    expect(decodeWatchResponse(vector('10ffffffffffffffffff01'), rootBytes)).toEqual({ ...none, revision: 300 });
  });
});
