import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { ProgressRequests } from './progress-requests.ts';

class Fixture {
  readonly clock = new FakeClock();
  sent = 0;
  revision: number | 'away' = 10;
  readonly progress = new ProgressRequests({
    clock: this.clock,
    revision: async () => {
      if (this.revision === 'away') throw new Error('away');
      return this.revision;
    },
    send: () => {
      this.sent += 1;
    },
  });
}

describe('a request for progress', () => {
  it('is asked at once and repeated until the store’s revision at the time has been reported', async () => {
    const fixture = new Fixture();
    fixture.progress.request();
    expect(fixture.sent).toBe(1);
    await fixture.clock.advance(250);
    expect(fixture.sent).toBe(3);
    fixture.progress.delivered(9);
    await fixture.clock.advance(100);
    expect(fixture.sent).toBe(4);
    fixture.progress.delivered(10);
    await fixture.clock.advance(1000);
    expect(fixture.sent).toBe(4);
    expect(fixture.clock.pending).toBe(0);
  });

  it('is over with the first answer when that comes before the revision has been read', async () => {
    const fixture = new Fixture();
    fixture.progress.request();
    fixture.progress.delivered(12);
    await fixture.clock.advance(1000);
    expect(fixture.sent).toBe(1);
  });

  it('made while another is being answered has a goal of its own', async () => {
    const fixture = new Fixture();
    fixture.progress.request();
    await fixture.clock.advance(0);
    fixture.revision = 20;
    fixture.progress.request();
    await fixture.clock.advance(0);
    fixture.progress.delivered(15);
    await fixture.clock.advance(100);
    expect(fixture.sent).toBe(3);
    fixture.progress.delivered(20);
    await fixture.clock.advance(1000);
    expect(fixture.sent).toBe(3);
  });

  it('is asked again on a new stream', async () => {
    const fixture = new Fixture();
    fixture.progress.streamCreated();
    expect(fixture.sent).toBe(0);
    fixture.progress.request();
    await fixture.clock.advance(0);
    fixture.progress.streamCreated();
    expect(fixture.sent).toBe(2);
  });

  it('survives that the cluster is away', async () => {
    const fixture = new Fixture();
    fixture.revision = 'away';
    fixture.progress.request();
    await fixture.clock.advance(150);
    fixture.revision = 10;
    fixture.progress.delivered(5);
    await fixture.clock.advance(100);
    const { sent } = fixture;
    await fixture.clock.advance(100);
    expect(fixture.sent).toBe(sent + 1);
    fixture.progress.delivered(10);
    expect(fixture.clock.pending).toBe(0);
  });

  it('is dropped when the watch ends', async () => {
    const fixture = new Fixture();
    fixture.progress.request();
    fixture.progress.stop();
    await fixture.clock.advance(1000);
    expect(fixture.sent).toBe(1);
    expect(fixture.clock.pending).toBe(0);
    // Its consumer may still ask: there is no stream any more.
    fixture.progress.request();
    expect(fixture.sent).toBe(1);
  });
});
