/** Contract: compare and commit. */

import { type Revision, requireCommitted, type StorageCapabilities, type StorageEngine } from '@listwatch/storage';
import { expect } from 'vitest';
import { bytes, text } from './bytes.ts';
import type { StorageSection } from './storage-suite.ts';

async function put(engine: StorageEngine, key: string, value: string, expected?: Revision): Promise<Revision> {
  return requireCommitted(await engine.commit({ type: 'put', key, value: bytes(value), expected }), key);
}

function withoutAlongside({ alongside }: StorageCapabilities): string | undefined {
  return alongside ? undefined : 'it commits one key at a time';
}

export const commitCases: StorageSection = {
  title: 'commit',
  cases: [
    {
      title: 'an empty store stands at a revision above 0',
      run: async (engine) => {
        expect(await engine.revision()).toBeGreaterThan(0n);
      },
    },
    {
      title: 'each commit gets the next revision, which is then the key’s modRevision and the store’s revision',
      run: async (engine) => {
        const start = await engine.revision();
        expect(await put(engine, 'a', '1')).toBe(start + 1n);
        expect(await put(engine, 'b', '1')).toBe(start + 2n);
        expect(await put(engine, 'a', '2')).toBe(start + 3n);
        expect(await engine.revision()).toBe(start + 3n);
        const { entry, revision } = await engine.get('a');
        expect(entry).toMatchObject({ key: 'a', modRevision: start + 3n });
        expect(text(entry?.value ?? bytes(''))).toBe('2');
        expect(revision).toBe(start + 3n);
      },
    },
    {
      title: 'expected 0 creates a key that does not exist and is refused with KEY_EXISTS and the entry when it does',
      run: async (engine) => {
        const created = await put(engine, 'a', 'first', 0n);
        const again = await engine.commit({ type: 'put', key: 'a', value: bytes('second'), expected: 0n });
        expect(again).toMatchObject({ committed: false, reason: 'KEY_EXISTS', current: { modRevision: created } });
        expect(await engine.revision()).toBe(created);
        expect(text((await engine.get('a')).entry?.value ?? bytes(''))).toBe('first');
      },
    },
    {
      title: 'a stale expected revision is refused with CONFLICT and the current entry, and changes nothing',
      run: async (engine) => {
        const first = await put(engine, 'a', '1');
        const second = await put(engine, 'a', '2', first);
        for (const type of ['put', 'delete'] as const) {
          const stale = await engine.commit({ type, key: 'a', value: bytes('3'), expected: first });
          if (stale.committed) throw new Error(`a stale ${type} was committed`);
          expect(stale).toMatchObject({ reason: 'CONFLICT', current: { key: 'a', modRevision: second } });
          expect(text(stale.current?.value ?? bytes(''))).toBe('2');
        }
        expect(await engine.revision()).toBe(second);
      },
    },
    {
      title: 'an expected revision on a key that does not exist is refused with KEY_NOT_FOUND and no entry',
      run: async (engine) => {
        const start = await engine.revision();
        for (const type of ['put', 'delete'] as const) {
          const refused = await engine.commit({ type, key: 'nobody', value: bytes('1'), expected: start });
          expect(refused).toMatchObject({ committed: false, reason: 'KEY_NOT_FOUND', current: undefined });
        }
        expect(await engine.revision()).toBe(start);
      },
    },
    {
      title: 'a delete removes the key at its own revision; the past still has it',
      run: async (engine) => {
        const created = await put(engine, 'a', '1');
        const deleted = requireCommitted(await engine.commit({ type: 'delete', key: 'a', expected: created }), 'a');
        expect(deleted).toBe(created + 1n);
        expect((await engine.get('a')).entry).toBeUndefined();
        expect((await engine.get('a', { at: created })).entry).toMatchObject({ modRevision: created });
      },
    },
    {
      title: 'an unconditional delete of a missing key is refused with KEY_NOT_FOUND and takes no revision',
      run: async (engine) => {
        const start = await engine.revision();
        const refused = await engine.commit({ type: 'delete', key: 'nobody' });
        expect(refused).toMatchObject({ committed: false, reason: 'KEY_NOT_FOUND', current: undefined });
        expect(await engine.revision()).toBe(start);
      },
    },
    {
      title: 'a key can be created again after its deletion, with expected 0',
      run: async (engine) => {
        await put(engine, 'a', '1', 0n);
        await engine.commit({ type: 'delete', key: 'a' });
        const again = await put(engine, 'a', '2', 0n);
        expect((await engine.get('a')).entry?.modRevision).toBe(again);
      },
    },
    {
      title: 'writing the same bytes again is a commit like any other',
      run: async (engine) => {
        const first = await put(engine, 'a', 'same');
        expect(await put(engine, 'a', 'same')).toBe(first + 1n);
      },
    },
    {
      title: 'values keep every byte: empty, binary and one megabyte',
      run: async (engine) => {
        const values = [
          new Uint8Array(0),
          Uint8Array.from({ length: 256 }, (_, i) => i),
          new Uint8Array(2 ** 20).fill(7),
        ];
        for (const [index, value] of values.entries()) {
          await engine.commit({ type: 'put', key: `v${index}`, value });
          const { entry } = await engine.get(`v${index}`);
          expect(Buffer.compare(entry?.value ?? bytes('missing'), value)).toBe(0);
        }
      },
    },
    {
      title: 'changes that make no sense are refused as RangeError or TypeError before anything happens',
      run: async (engine) => {
        const start = await engine.revision();
        const value = bytes('1');
        const long = 'k'.repeat(1025);
        await expect(engine.commit({ type: 'put', key: '', value })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'put', key: 'a\0b', value })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'put', key: '\ud800', value })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'put', key: long, value })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'put', key: 'a', value, expected: -1n })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'put', key: 'a', value, ttlSeconds: 0 })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'put', key: 'a', value, ttlSeconds: 1.5 })).rejects.toThrow(RangeError);
        await expect(engine.commit({ type: 'delete', key: 'a', expected: 0n })).rejects.toThrow(RangeError);
        // @ts-expect-error a string is not bytes
        await expect(engine.commit({ type: 'put', key: 'a', value: '1' })).rejects.toThrow(TypeError);
        expect(await engine.revision()).toBe(start);
      },
    },
    {
      title: 'a key of 1024 bytes is taken',
      run: async (engine) => {
        const key = `/${'ü'.repeat(511)}x`;
        await put(engine, key, '1');
        expect((await engine.get(key)).entry?.key).toBe(key);
      },
    },
    {
      title: '64 writers racing on one key: in every round exactly one wins, and the others are shown its entry',
      run: async (engine) => {
        let expected = await put(engine, 'race', 'start');
        for (let round = 0; round < 20; round += 1) {
          const writers = Array.from({ length: 64 }, (_, writer) =>
            engine.commit({ type: 'put', key: 'race', value: bytes(`${round}/${writer}`), expected }),
          );
          const results = await Promise.all(writers);
          const winners = results.flatMap((result, writer) => (result.committed ? [{ writer, result }] : []));
          expect(winners).toHaveLength(1);
          const [winner] = winners;
          for (const result of results) {
            if (result.committed) continue;
            expect(result.reason).toBe('CONFLICT');
            expect(result.current?.modRevision).toBe(winner?.result.revision);
            expect(text(result.current?.value ?? bytes(''))).toBe(`${round}/${winner?.writer}`);
          }
          expect(winner?.result.revision).toBe(expected + 1n);
          expected += 1n;
        }
      },
    },
    {
      title: 'concurrent commits of different keys get revisions without gap or repetition',
      run: async (engine) => {
        const start = await engine.revision();
        const commits = Array.from({ length: 500 }, (_, i) => put(engine, `key-${i}`, String(i)));
        const revisions = (await Promise.all(commits)).toSorted((a, b) => (a < b ? -1 : 1));
        expect(revisions).toEqual(Array.from({ length: 500 }, (_, i) => start + 1n + BigInt(i)));
      },
    },
    {
      title: 'alongside: other keys are written in the same revision, in one batch of a watch',
      unless: withoutAlongside,
      run: async (engine) => {
        const start = await engine.revision();
        const alongside = [
          { key: 'claim/1', value: bytes('a'), expected: 0n },
          { key: 'claim/2', value: bytes('a'), expected: 0n },
        ];
        const result = await engine.commit({ type: 'put', key: 'a', value: bytes('1'), expected: 0n, alongside });
        expect(result).toMatchObject({ committed: true, revision: start + 1n });
        for (const key of ['a', 'claim/1', 'claim/2']) {
          expect((await engine.get(key)).entry?.modRevision).toBe(start + 1n);
        }
        for await (const batch of engine.watch('', { after: start })) {
          expect(batch.events.map(({ key }) => key).toSorted()).toEqual(['a', 'claim/1', 'claim/2']);
          break;
        }
      },
    },
    {
      title: 'alongside: nothing is written unless every key is as expected, and the one in the way is named',
      unless: withoutAlongside,
      run: async (engine) => {
        const claimed = await put(engine, 'claim/2', 'b');
        const alongside = [
          { key: 'claim/1', value: bytes('a'), expected: 0n },
          { key: 'claim/2', value: bytes('a'), expected: 0n },
        ];
        const change = { type: 'put', key: 'a', value: bytes('1'), expected: 0n } as const;
        const blocked = await engine.commit({ ...change, alongside });
        expect(blocked).toMatchObject({
          committed: false,
          reason: 'BLOCKED',
          current: undefined,
          blockedBy: { type: 'alongside', key: 'claim/2', revision: claimed },
        });
        expect((await engine.get('claim/1')).entry).toBeUndefined();
        const [first, second] = alongside;
        if (first === undefined || second === undefined) throw new Error('there are two');
        const taken = await engine.commit({ ...change, alongside: [first, { ...second, expected: claimed }] });
        expect(taken.committed).toBe(true);
        const again = await engine.commit({ ...change, alongside: [{ ...first, expected: 0n }] });
        expect(again).toMatchObject({ committed: false, reason: 'KEY_EXISTS', current: { key: 'a' } });
        expect(again).not.toHaveProperty('blockedBy');
      },
    },
    {
      title: 'alongside is refused by an engine that commits one key at a time',
      unless: ({ alongside }) => (alongside ? 'it commits several' : undefined),
      run: async (engine) => {
        const alongside = [{ key: 'b', value: bytes('1'), expected: 0n }];
        const change = { type: 'put', key: 'a', value: bytes('1'), expected: 0n, alongside } as const;
        await expect(engine.commit(change)).rejects.toThrow(TypeError);
        expect((await engine.get('a')).entry).toBeUndefined();
      },
    },
    {
      title: 'alongside: a key twice, or a change without an expected revision, is refused at once',
      unless: withoutAlongside,
      run: async (engine) => {
        const one = { key: 'a', value: bytes('1'), expected: 0n };
        const change = { type: 'put', key: 'a', value: bytes('1') } as const;
        await expect(engine.commit({ ...change, expected: 0n, alongside: [one] })).rejects.toThrow(RangeError);
        await expect(engine.commit({ ...change, alongside: [{ ...one, key: 'b' }] })).rejects.toThrow(TypeError);
      },
    },
  ],
};
