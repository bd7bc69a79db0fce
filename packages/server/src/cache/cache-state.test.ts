import { expect, it } from 'vitest';
import { type CacheInput, type CacheState, stepCache } from './cache-state.ts';

const STATES: Readonly<Record<CacheState['type'], CacheState>> = {
  pending: { type: 'pending', since: 1, generation: 3, error: 'old' },
  ready: { type: 'ready', generation: 3 },
  stopped: { type: 'stopped', since: 1, generation: 3 },
};

const INPUTS: Readonly<Record<CacheInput['type'], CacheInput>> = {
  loaded: { type: 'loaded' },
  failed: { type: 'failed', error: 'why' },
  lost: { type: 'lost', error: 'why' },
  stopped: { type: 'stopped' },
};

/** Every cell is written down: a new state or input does not compile until it is. */
const TABLE: Readonly<Record<CacheState['type'], Readonly<Record<CacheInput['type'], CacheState>>>> = {
  pending: {
    loaded: { type: 'ready', generation: 3 },
    failed: { type: 'pending', since: 1, generation: 3, error: 'why' },
    lost: { type: 'pending', since: 1, generation: 3, error: 'why' },
    stopped: { type: 'stopped', since: 9, generation: 4 },
  },
  ready: {
    loaded: { type: 'ready', generation: 3 },
    failed: { type: 'ready', generation: 3 },
    lost: { type: 'pending', since: 9, generation: 4, error: 'why' },
    stopped: { type: 'stopped', since: 9, generation: 4 },
  },
  stopped: {
    loaded: STATES.stopped,
    failed: STATES.stopped,
    lost: STATES.stopped,
    stopped: STATES.stopped,
  },
};

const cells = Object.values(STATES).flatMap((state) => Object.values(INPUTS).map((input) => ({ state, input })));

it.each(cells)('a cache that is $state.type and gets $input.type goes where the table says', ({ state, input }) => {
  expect(stepCache(state, input, 9)).toEqual(TABLE[state.type][input.type]);
});
