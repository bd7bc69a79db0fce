import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import type { WatchSink } from '../contract/watch-sink.ts';
import { LineStreams, type StreamLine } from './line-streams.ts';

class TestSink implements WatchSink {
  readonly lines: string[] = [];
  ended = 0;

  write(frames: readonly Buffer[]): boolean {
    this.lines.push(...frames.map(String));
    return true;
  }

  onReady(): void {}

  onClose(): void {}

  end(): void {
    this.ended += 1;
  }
}

it.each([0, 1])(
  'a source that rejects (after %i lines) ends its streams and is reported, and the next reader is served',
  async (good) => {
    const clock = new FakeClock();
    const errors: unknown[] = [];
    let asked = 0;
    let isBroken = true;
    const failure = new Error('the storage does not answer');
    const source = async (): Promise<StreamLine> => {
      asked += 1;
      if (isBroken && asked > good) throw failure;
      return { value: asked, position: asked };
    };
    const streams = new LineStreams(clock, source, (error) => errors.push(error));
    const first = new TestSink();
    streams.open().start(first);
    await clock.advance(2000);
    expect([first.lines.length, first.ended, errors, streams.count]).toEqual([good, 1, [failure], 0]);
    expect(clock.pending).toBe(0);
    isBroken = false;
    const second = new TestSink();
    streams.open().start(second);
    await clock.advance(1000);
    expect([second.lines.length, second.ended]).toEqual([2, 0]);
    streams.close();
  },
);
