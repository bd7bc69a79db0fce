import { describe, expect, it } from 'vitest';
import { FrameCounter } from './frame-counter.ts';

describe('FrameCounter', () => {
  const wire = '7\r\n{"a":1}\n\r\n10\r\n{"a":2}\n{"a":3}\n\r\n';

  it('counts events and not the lines of chunked encoding', () => {
    expect(new FrameCounter().count(Buffer.from(wire))).toBe(3);
  });

  it('counts the same however the bytes are cut', () => {
    for (let cut = 0; cut <= wire.length; cut += 1) {
      const counter = new FrameCounter();
      const events = counter.count(Buffer.from(wire.slice(0, cut))) + counter.count(Buffer.from(wire.slice(cut)));
      expect(events, `cut at ${cut}`).toBe(3);
    }
  });
});
