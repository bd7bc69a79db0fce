import { afterEach, describe, expect, it, vi } from 'vitest';
import { FedCache } from '../src/feed/fed-cache.ts';
import { type RevisionAnswer, RevisionProbe } from '../src/feed/revision-probe.ts';
import { beatAhead, lateReader, otherKind, ownBookmark } from './fresh-scene.fixture.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('most recent is most recent, and bookmarks are never beyond proof', () => {
  it.each([
    ['a reader that comes while the question of another is under way', lateReader],
    ['a kind that is quiet while others change', otherKind],
    ['a second watch that is ahead of the feed', beatAhead],
    ['a bookmark of the feed', ownBookmark],
  ])('%s', async (_, scene) => {
    expect(await scene()).toEqual([]);
  });
});

// Each mistake once, to see that it is found.
describe('is broken, and found to be, by', () => {
  it('a probe that is shared with a later request', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the object of each call
    const real = RevisionProbe.prototype.ask;
    let running: Promise<RevisionAnswer> | undefined;
    vi.spyOn(RevisionProbe.prototype, 'ask').mockImplementation(function (this: RevisionProbe, ...args) {
      running ??= real.apply(this, args).finally(() => {
        running = undefined;
      });
      return running;
    });
    expect(await lateReader()).toEqual([expect.stringContaining('has no two at 12')]);
  });

  it('a version that is raised by another kind', async () => {
    const prove = vi.spyOn(FedCache.prototype, 'prove');
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the object of each call
    const reached = FedCache.prototype.reached;
    vi.spyOn(FedCache.prototype, 'reached').mockImplementation(function (this: FedCache, revision, ...rest) {
      // The upstream is there, by whatever kind.
      this.prove(revision);
      return reached.call(this, revision, ...rest);
    });
    expect(await otherKind()).toEqual([
      expect.stringContaining('has no two at 20'),
      expect.stringContaining('a bookmark at 40, before two at 20'),
    ]);
    expect(prove).toHaveBeenCalled();
  });

  it('a second watch whose bookmark counts before the feed is there', async () => {
    vi.spyOn(FedCache.prototype, 'witness').mockImplementation(function (this: FedCache) {
      return async (_last, revision) => this.prove(revision);
    });
    expect((await beatAhead()).join('\n')).toContain('a bookmark at 40, before two at 20');
  });

  it('a bookmark beyond what is proven', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the object of each call
    const real = FedCache.prototype.prove;
    vi.spyOn(FedCache.prototype, 'prove').mockImplementation(function (this: FedCache, revision) {
      real.call(this, revision + 1n);
    });
    expect(await ownBookmark()).toEqual([expect.stringContaining('a bookmark at 31, before two at 31')]);
  });
});
