import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { type CacheInput, type CacheState, stepCache } from './cache-state.ts';
import { ResourceCache } from './resource-cache.ts';

const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
const [old, next] = [cache.load([], 1n), cache.load([], 2n)];

const STATES: Readonly<Record<CacheState['type'], CacheState>> = {
  pending: { type: 'pending', since: 1, error: 'old' },
  ready: { type: 'ready', generation: old },
  stopped: { type: 'stopped', since: 1 },
};

const INPUTS: Readonly<Record<CacheInput['type'], CacheInput>> = {
  loaded: { type: 'loaded', generation: next },
  lost: { type: 'lost', error: 'why' },
  stopped: { type: 'stopped' },
};

/** Every cell is written down: a new state or input does not compile until it is. */
const TABLE: Readonly<Record<CacheState['type'], Readonly<Record<CacheInput['type'], CacheState>>>> = {
  pending: {
    loaded: { type: 'ready', generation: next },
    lost: { type: 'pending', since: 1, error: 'why' },
    stopped: { type: 'stopped', since: 9 },
  },
  ready: {
    loaded: { type: 'ready', generation: next },
    lost: { type: 'pending', since: 9, error: 'why' },
    stopped: { type: 'stopped', since: 9 },
  },
  stopped: { loaded: STATES.stopped, lost: STATES.stopped, stopped: STATES.stopped },
};

const cells = Object.values(STATES).flatMap((state) => Object.values(INPUTS).map((input) => ({ state, input })));

it.each(cells)('a cache that is $state.type and gets $input.type goes where the table says', ({ state, input }) => {
  expect(stepCache(state, input, 9)).toStrictEqual(TABLE[state.type][input.type]);
});
