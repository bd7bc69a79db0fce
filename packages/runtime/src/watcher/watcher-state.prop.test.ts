import { compareResourceVersions, isResourceVersion } from '@listwatch/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { thing } from '../../test/model-object.ts';
import { INPUTS, MEMORY } from '../../test/watcher-table.ts';
import type { WatcherInput } from './watcher-input.ts';
import { startState, step, type WatcherState } from './watcher-state.ts';

const version = fc.integer({ min: 1, max: 40 });
const lived = fc.constantFrom(0, 999, 1_000, 29_999, 30_000);

const input: fc.Arbitrary<WatcherInput> = fc
  .tuple(fc.constantFrom(...Object.values(INPUTS)), version, lived, fc.integer({ min: 1, max: 3 }))
  .map(([base, rv, livedMs, number]) => {
    if (base.type === 'changes') return { ...base, events: [{ type: 'MODIFIED', object: thing('a/x', rv) }] };
    if ('resourceVersion' in base) return { ...base, resourceVersion: String(rv) };
    if ('livedMs' in base) return { ...base, livedMs };
    return base.type === 'page' ? { ...base, number } : base;
  });

const start = fc
  .record({
    listSemantic: fc.constantFrom('any' as const, 'mostRecent' as const),
    alwaysPaged: fc.boolean(),
    streaming: fc.constantFrom('first' as const, 'never' as const, 'only' as const),
  })
  .map(({ streaming, ...rules }) => startState({ ...MEMORY.rules, ...rules }, streaming));

const tells = (outputs: readonly { readonly type: string }[], type: string): boolean =>
  outputs.some((output) => output.type === type);

it('whatever happens, the invariants of SPEC.md hold', () => {
  fc.assert(
    fc.property(start, fc.array(input, { maxLength: 60 }), (first, inputs) => {
      let state: WatcherState = first;
      let open = false;
      for (const happened of inputs) {
        const { state: next, outputs } = step(state, happened);
        // I1: items and the end of a list come only after its beginning.
        for (const output of outputs) {
          if (output.type === 'init') open = true;
          if (output.type === 'initApply' || output.type === 'initBatch' || output.type === 'initDone') {
            if (happened.type !== 'items' && happened.type !== 'listed') expect(open).toBe(true);
          }
          if (output.type === 'initDone') open = false;
        }
        // I2: changes and bookmarks come only from a watch.
        if (tells(outputs, 'changes') || tells(outputs, 'bookmark')) expect(state.type).toBe('watching');
        // I3: every failure is told, and every pause begins with one.
        if ('error' in happened && next !== state) expect(tells(outputs, 'error')).toBe(true);
        if (next.type === 'waiting' && state.type !== 'waiting') expect(tells(outputs, 'error')).toBe(true);
        // I4: who watches knows where it stands.
        if (next.type === 'watching') expect(isResourceVersion(next.memory.position.resourceVersion)).toBe(true);
        // I5: '0' is asked for only as long as nothing is known.
        if ((next.type === 'listing' || next.type === 'streaming') && next.from === '0') {
          expect(next.memory.position.type).toBe('none');
        }
        // I6: the pauses are forgotten only by proven progress.
        if (next.memory.failures < state.memory.failures) {
          expect(state.type).toBe('watching');
          const proven = 'livedMs' in happened ? happened.livedMs >= 30_000 : outputs.length > 0;
          expect(proven).toBe(true);
        }
        // I7: a bookmark never takes the position back.
        if (state.type === 'watching' && next.type === 'watching' && tells(outputs, 'bookmark')) {
          const [from, to] = [state.memory.position.resourceVersion, next.memory.position.resourceVersion];
          expect(compareResourceVersions(to, from)).toBeGreaterThanOrEqual(0);
        }
        // I8: streaming that was found not to work is not tried again; who wants only that does nothing else.
        if (state.memory.streaming === 'never') expect(next.type).not.toBe('streaming');
        if (state.memory.streaming === 'only') expect(next.type).not.toBe('listing');
        state = next;
      }
    }),
    { numRuns: 600 },
  );
});

it('no sequence of failures goes round without a pause', () => {
  const failures = fc.constantFrom(
    ...Object.values(INPUTS).filter((base) => 'error' in base || base.type === 'closed' || base.type === 'quiet'),
  );
  fc.assert(
    fc.property(start, fc.array(failures, { minLength: 12, maxLength: 12 }), (first, inputs) => {
      let state: WatcherState = first;
      let inARow = 0;
      for (const happened of inputs) {
        const next = step(state, happened).state;
        // What the state does not expect cannot happen to it.
        if (next !== state) inARow += 1;
        state = next;
        if (state.type === 'waiting') {
          inARow = 0;
          state = step(state, { type: 'elapsed' }).state;
        }
        // Streaming, streaming at '', pages, a list in one piece, the same at ''.
        expect(inARow).toBeLessThan(6);
      }
    }),
  );
});
