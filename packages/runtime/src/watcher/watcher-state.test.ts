import { readFileSync } from 'node:fs';
import { type ObjectEvent, resourceVersion } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../test/model-object.ts';
import { failure, INPUTS, MEMORY, STATES, stateText, TABLE, tableText } from '../../test/watcher-table.ts';
import { knownPosition } from './list-position.ts';
import type { WatcherInput } from './watcher-input.ts';
import type { WatcherMemory } from './watcher-memory.ts';
import { ATTEMPTS, startState, step, type Transition, type WatcherState } from './watcher-state.ts';

const RULES = MEMORY.rules;

function text(before: WatcherState, { state, outputs }: Transition): string {
  if (state === before && outputs.length === 0) return '-';
  return `${stateText(state)}: ${outputs.map(({ type }) => type).join(', ')}`;
}

function changes(...events: readonly ObjectEvent<Thing>[]): WatcherInput<Thing> {
  return { type: 'changes', events };
}

function modified(version: number | ''): ObjectEvent<Thing> {
  return { type: 'MODIFIED', object: thing('a/x', version) };
}

function failures(state: WatcherState): number {
  return state.memory.failures;
}

/** Feeds inputs one after the other, and says where they lead and what was told. */
function run(state: WatcherState, ...names: readonly (keyof typeof INPUTS)[]): readonly string[] {
  let now = state;
  return names.map((name) => {
    const transition = step(now, INPUTS[name]);
    const said = text(now, transition);
    now = transition.state;
    return said;
  });
}

describe('the table', () => {
  for (const input of Object.values(INPUTS)) {
    for (const before of Object.values(STATES)) {
      const expected = TABLE[input.type][before.type];
      it(`${before.type} and ${input.type}: ${expected}`, () => {
        expect(text(before, step(before, input))).toBe(expected);
      });
    }
  }

  it('stands in SPEC.md as it stands here', () => {
    const spec = readFileSync(new URL('../../SPEC.md', import.meta.url), 'utf8');
    const rows = [...spec.matchAll(/^\| (.+) \|$/gm)].map(([, row]) =>
      (row ?? '')
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', ''))
        .join(' | '),
    );
    for (const row of tableText().split('\n')) expect(rows).toContain(row);
  });
});

describe('which version is asked for', () => {
  it("nothing known: '0' from a cache in pages of 500, or '' when only the most recent will do", () => {
    expect(startState(RULES, 'never')).toMatchObject({ type: 'listing', from: '0', limit: 500 });
    expect(startState({ ...RULES, listSemantic: 'mostRecent' }, 'never')).toMatchObject({ from: '', limit: 500 });
    expect(startState(RULES, 'first')).toMatchObject({ type: 'streaming', from: '0' });
    expect(startState({ ...RULES, listSemantic: 'mostRecent' }, 'first')).toMatchObject({
      type: 'streaming',
      from: '',
    });
  });

  it('a known version: not older than it, in one piece', () => {
    const { state } = step({ ...STATES.waiting, memory: { ...MEMORY, streaming: 'never' } }, INPUTS.elapsed);
    expect(state).toMatchObject({ type: 'listing', from: '5', limit: 0 });
  });

  it('a page size that was asked for is kept with a known version too', () => {
    const memory: WatcherMemory = {
      ...MEMORY,
      streaming: 'never',
      rules: { ...RULES, alwaysPaged: true, pageSize: 7 },
    };
    const { state } = step({ ...STATES.waiting, memory }, INPUTS.elapsed);
    expect(state).toMatchObject({ type: 'listing', from: '5', limit: 7 });
  });

  it("a server that pages a list at '0' has no cache: later lists are paged too", () => {
    const listing = startState(RULES, 'never');
    const { state } = step(step(listing, INPUTS.page).state, { type: 'page', number: 2 });
    const watching = step(state, INPUTS.listed).state;
    const again = step(step(watching, INPUTS.expired).state, INPUTS.elapsed).state;
    expect(again).toMatchObject({ type: 'listing', from: '9', limit: 500 });
  });

  it('a watch from a version that is known begins without a list', () => {
    const state = startState(RULES, 'first', knownPosition(resourceVersion('7')));
    expect(run(state, 'checked')).toEqual(['watching 7: ']);
  });
});

describe('410 and too large', () => {
  it("a refused version is followed by '' at once, and '' by a pause", () => {
    expect(run(STATES.listing, 'expired', 'expired')).toEqual(["listing '': error", 'waiting for sync: error']);
    expect(run(STATES.listing, 'tooLarge', 'tooLarge')).toEqual(["listing '': error", 'waiting for sync: error']);
    expect(run(STATES.streaming, 'tooLarge', 'expired')).toEqual(["streaming '': error", 'waiting for sync: error']);
  });

  it('a page after the first that has expired is followed by a list in one piece at the same version, once', () => {
    const paged = { ...STATES.listing, limit: 500 };
    const { state } = step(step(paged, INPUTS.page).state, INPUTS.expired);
    expect(state).toMatchObject({ type: 'listing', from: '5', limit: 0, page: 0 });
    expect(run(state, 'page', 'expired')).toEqual(['listing 5: init', "listing '': error"]);
  });

  it('in a watch: a list not older than what was seen, for a list at "" would go through to the storage', () => {
    const waiting = step(STATES.watching, INPUTS.expired).state;
    expect(stateText(step(waiting, INPUTS.elapsed).state)).toBe('streaming 5');
  });

  it('too large in a watch: the version cannot be had, so the next list asks for now', () => {
    const waiting = step(STATES.watching, INPUTS.tooLarge).state;
    expect(stateText(step(waiting, INPUTS.elapsed).state)).toBe("streaming ''");
  });

  it('a bookmark before the version that was seen: a check tells a server that is behind from another history', () => {
    const waiting = step(STATES.watching, { type: 'bookmark', resourceVersion: '4' }).state;
    const checking = step(waiting, INPUTS.elapsed).state;
    expect(stateText(checking)).toBe('checking 5');
    const other = step(checking, { type: 'checked', resourceVersion: '4', object: undefined }).state;
    expect(stateText(step(other, INPUTS.elapsed).state)).toBe("streaming ''");
    const behind = step(checking, { type: 'checked', resourceVersion: '9', object: undefined }).state;
    expect(stateText(behind)).toBe('watching 5');
  });
});

describe('streaming that does not work', () => {
  it('three streams in a row that end without the marker: pages, for good', () => {
    expect(run(STATES.streaming, 'closed', 'elapsed', 'closed', 'elapsed', 'closed')).toEqual([
      'waiting for sync: error',
      'streaming 5: ',
      'waiting for sync: error',
      'streaming 5: ',
      'listing 5: error',
    ]);
  });

  it('a stream that falls quiet before the marker: pages at once, for good', () => {
    expect(step(STATES.streaming, INPUTS.quiet).state).toMatchObject({
      type: 'listing',
      memory: { streaming: 'never' },
    });
  });

  it('three 429s in a row: pages this time, and streaming again after a success', () => {
    let state: WatcherState = STATES.streaming;
    for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
      state = step(step(state, INPUTS.throttled).state, INPUTS.elapsed).state;
      expect(state.type).toBe('streaming');
    }
    state = step(step(state, INPUTS.throttled).state, INPUTS.elapsed).state;
    expect(state).toMatchObject({ type: 'listing', memory: { streaming: 'first' } });
    state = step(step(step(state, INPUTS.listed).state, INPUTS.expired).state, INPUTS.elapsed).state;
    expect(state.type).toBe('streaming');
  });

  it('whoever asked for streaming only gets streaming only', () => {
    const only: WatcherState = { ...STATES.streaming, memory: { ...MEMORY, streaming: 'only' } };
    for (const name of ['quiet', 'closed', 'unsupported', 'refused', 'protocol', 'serverError'] as const) {
      expect(run(only, name, 'elapsed'), name).toEqual(['waiting for sync: error', 'streaming 5: ']);
    }
  });
});

describe('pauses', () => {
  it('grow over lists that succeed, for a list is no proof that a watch will', () => {
    let state: WatcherState = startState(RULES, 'never');
    for (let round = 1; round <= 4; round += 1) {
      state = step(step(state, INPUTS.listed).state, INPUTS.expired).state;
      expect(failures(state)).toBe(round);
      state = step(state, INPUTS.elapsed).state;
    }
  });

  it('begin anew after an event, a bookmark, or a watch that lived for half a minute', () => {
    const tired = { ...STATES.watching, memory: { ...STATES.watching.memory, failures: 5 } };
    expect(failures(step(tired, INPUTS.changes).state)).toBe(0);
    expect(failures(step(tired, INPUTS.bookmark).state)).toBe(0);
    expect(failures(step(tired, { type: 'closed', livedMs: 30_000, isTimeout: false }).state)).toBe(0);
    expect(failures(step(tired, { type: 'closed', livedMs: 2_000, isTimeout: false }).state)).toBe(5);
    expect(failures(step(tired, INPUTS.steady).state)).toBe(5);
  });

  it('a watch that ends at its timeout is opened again at once, and without a check', () => {
    const closed = { type: 'closed', livedMs: 300_000, isTimeout: true } as const;
    expect(stateText(step(STATES.watching, closed).state)).toBe('watching 5');
  });

  it('a watch that ends in order after a second is checked and opened again at once; one that ends sooner waits', () => {
    expect(stateText(step(STATES.watching, { type: 'closed', livedMs: 1_000, isTimeout: false }).state)).toBe(
      'checking 5',
    );
    expect(stateText(step(STATES.watching, { type: 'closed', livedMs: 999, isTimeout: false }).state)).toBe(
      'waiting for watch',
    );
  });

  it('a watch that broke after it brought something is checked and opened again at once', () => {
    const { state } = step(STATES.watching, INPUTS.changes);
    expect(run(state, 'broken')).toEqual(['checking 9: error']);
  });

  it('the first break in a row of a quiet watch of a second is checked at once; the next one waits', () => {
    expect(run(STATES.watching, 'steady', 'broken', 'checked', 'steady', 'broken')).toEqual([
      'watching 5: steady',
      'checking 5: error',
      'watching 5: ',
      'watching 5: steady',
      'waiting for watch: error',
    ]);
  });

  it('three watches in a row that come to nothing: a list, for the version may be what the server cannot take', () => {
    expect(run(STATES.watching, 'refused', 'elapsed', 'checked', 'closed', 'elapsed', 'checked', 'broken')).toEqual([
      'waiting for watch: error',
      'checking 5: ',
      'watching 5: ',
      'waiting for watch: error',
      'checking 5: ',
      'watching 5: ',
      'waiting for sync: error',
    ]);
  });

  it('429 and no connection never lead to a list, however often', () => {
    let state: WatcherState = STATES.watching;
    for (let round = 0; round < 20; round += 1) {
      state = step(state, round % 2 === 0 ? INPUTS.throttled : INPUTS.unreachable).state;
      expect(stateText(state)).toBe('waiting for watch');
      state = step(state, INPUTS.elapsed).state;
    }
  });

  it('are as long as the server asks', () => {
    const { state } = step(STATES.watching, { type: 'throttled', ...failure, retryAfterMs: 7_000 });
    expect(state).toMatchObject({ type: 'waiting', retryAfterMs: 7_000 });
  });
});

describe('versions that are missing', () => {
  it('a list without one, an event without one, a bookmark without one: list anew', () => {
    expect(stateText(step(STATES.listing, { type: 'listed', resourceVersion: '' }).state)).toBe('waiting for sync');
    expect(stateText(step(STATES.watching, { type: 'bookmark', resourceVersion: '' }).state)).toBe('waiting for sync');
    const { state, outputs } = step(STATES.watching, changes(modified('')));
    expect([stateText(state), outputs.map((output) => output.type === 'error' && output.error.code)]).toEqual([
      'waiting for sync',
      ['NO_RESOURCE_VERSION'],
    ]);
  });

  it('what came before an event without one is told, and is where the next list begins', () => {
    const { state, outputs } = step(STATES.watching, changes(modified(7), modified(8), modified(''), modified(9)));
    expect(outputs).toMatchObject([{ type: 'changes', events: [modified(7), modified(8)] }, { type: 'error' }]);
    expect(stateText(step(state, INPUTS.elapsed).state)).toBe('streaming 8');
  });
});

describe('changes that came together', () => {
  it('are told together, and the next watch begins after the last', () => {
    const events = [modified(7), { type: 'DELETED', object: thing('a/y', 8) }] as const;
    const { state, outputs } = step(STATES.watching, changes(...events));
    expect([stateText(state), outputs]).toEqual(['watching 8', [{ type: 'changes', events }]]);
  });

  it('before the state is whole they are told one by one, and do not move the position', () => {
    const { state, outputs } = step(
      STATES.streaming,
      changes(modified(7), { type: 'DELETED', object: thing('a/y', 8) }),
    );
    expect(outputs.map(({ type }) => type)).toEqual(['init', 'initApply', 'delete']);
    expect(stateText(state)).toBe('streaming 5');
  });
});
