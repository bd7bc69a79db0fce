import { FakeClock } from '@listwatch/api/fake-clock';
import { afterEach, describe, expect, it } from 'vitest';
import { Compactor } from './compactor.ts';
import { resolveEtcdOptions } from './etcd-options.ts';

/** The token in etcd, and what was compacted. */
class Cluster {
  version = 0;
  revision = 1;
  readonly compactions: number[] = [];
  down = false;

  takeTurn = async (version: number): Promise<{ won: boolean; version: number; revision: number }> => {
    if (this.down) throw new Error('away');
    const won = version === this.version;
    if (won) {
      this.version += 1;
      this.revision += 1;
    }
    return { won, version: this.version, revision: this.revision };
  };

  compact = async (revision: number): Promise<void> => {
    this.compactions.push(revision);
  };
}

describe('compactor', () => {
  const clock = new FakeClock();
  const started: Compactor[] = [];
  const intervalMs = 300_000;

  afterEach(() => {
    for (const compactor of started.splice(0)) compactor.stop();
  });

  function start(cluster: Cluster, interval = intervalMs): Compactor {
    const { takeTurn, compact } = cluster;
    const compactor = new Compactor({ clock, intervalMs: interval, takeTurn, compact });
    started.push(compactor);
    return compactor;
  }

  it('compacts to where the store stood one interval ago, so that the interval itself stays', async () => {
    const cluster = new Cluster();
    start(cluster);
    await clock.advance(intervalMs);
    expect(cluster.compactions).toEqual([]);
    cluster.revision = 100;
    await clock.advance(intervalMs);
    expect(cluster.compactions).toEqual([2]);
    await clock.advance(intervalMs);
    expect(cluster.compactions).toEqual([2, 101]);
  });

  it('keeps 30 days when it is asked to, which is longer than a timer of Node can wait', async () => {
    const cluster = new Cluster();
    const day = 24 * 60 * 60 * 1000;
    const { historyAgeMs } = resolveEtcdOptions({ endpoints: ['http://127.0.0.1:2379'], history: { age: '30d' } });
    expect(historyAgeMs).toBe(30 * day);
    start(cluster, historyAgeMs);
    await clock.advance(30 * day - 1);
    expect(cluster.version).toBe(0);
    await clock.advance(1);
    expect(cluster.version).toBe(1);
    cluster.revision = 100;
    await clock.advance(30 * day - 1);
    expect(cluster.compactions).toEqual([]);
    await clock.advance(1);
    expect(cluster.compactions).toEqual([2]);
  });

  it('of several, one takes the turn; when it is gone, another does', async () => {
    const cluster = new Cluster();
    const first = start(cluster);
    await clock.advance(intervalMs / 2);
    start(cluster);
    await clock.advance(intervalMs * 4);
    const turns = cluster.version;
    expect(turns).toBe(4);
    first.stop();
    await clock.advance(intervalMs * 3);
    expect(cluster.version).toBeGreaterThan(turns);
  });

  it('tries again soon after a failure', async () => {
    const cluster = new Cluster();
    cluster.down = true;
    start(cluster);
    await clock.advance(intervalMs);
    cluster.down = false;
    await clock.advance(60_000);
    expect(cluster.version).toBe(1);
  });

  it('does nothing after it was stopped', async () => {
    const cluster = new Cluster();
    start(cluster).stop();
    await clock.advance(intervalMs * 3);
    expect(cluster.version).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
