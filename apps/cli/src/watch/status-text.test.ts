import { describe, expect, it } from 'vitest';
import { statusText, type WatchStatus } from './status-text.ts';

const NOW = 1_000_000;

function text(progress: Partial<WatchStatus['progress']>, others: Partial<WatchStatus> = {}): string {
  return statusText(
    {
      subject: 'pods in default',
      progress: { phase: 'idle', since: NOW - 60_000, page: 0, items: 0, failures: 0, ...progress },
      pages: undefined,
      objects: 0,
      reconnects: 0,
      now: NOW,
      ...others,
    },
    (ms) => `T${ms}`,
  );
}

describe('the status line', () => {
  it('says that it connects before anything has been asked', () => {
    expect(text({})).toBe('pods in default: connecting');
  });

  it('counts pages, of how many where the server says so', () => {
    expect(text({ phase: 'listing' })).toBe('pods in default: asking for the list');
    expect(text({ phase: 'listing', page: 3, items: 1043 })).toBe('pods in default: listing page 3, 1043 objects');
    expect(text({ phase: 'listing', page: 3, items: 1 }, { pages: 12 })).toBe(
      'pods in default: listing page 3 of 12, 1 object',
    );
  });

  it('counts the objects of a state that comes as a stream', () => {
    expect(text({ phase: 'streaming', items: 7 })).toBe('pods in default: receiving the current state, 7 objects');
  });

  it('says since when it is live, and how old the last bookmark is', () => {
    expect(text({ phase: 'watching', since: 5 }, { objects: 14 })).toBe('pods in default: live since T5 · 14 objects');
    expect(text({ phase: 'watching', since: 5, lastBookmarkAt: NOW - 12_345 }, { objects: 1 })).toBe(
      'pods in default: live since T5 · 1 object · last bookmark 12s ago',
    );
  });

  it('counts reconnects', () => {
    expect(text({ phase: 'watching', since: 5 }, { reconnects: 2 })).toBe(
      'pods in default: live since T5 · 0 objects · 2 reconnects',
    );
  });

  it('counts down to the next attempt, and never below the second that has begun', () => {
    expect(text({ phase: 'waiting', retryAt: NOW + 2001, failures: 3 })).toBe(
      'pods in default: waiting to try again, in 3s · 3 failures in a row',
    );
    expect(text({ phase: 'waiting', retryAt: NOW - 5 })).toBe('pods in default: waiting to try again, in 0s');
  });
});
