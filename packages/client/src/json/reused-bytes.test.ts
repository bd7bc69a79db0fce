import { expect, it } from 'vitest';
import { ReusedBytes } from './reused-bytes.ts';

it('the same memory serves whatever fits', () => {
  const memory = new ReusedBytes();
  const first = memory.take(1000);
  for (const size of [1000, 500, 125, 999]) {
    const bytes = memory.take(size);
    expect([bytes.length, bytes.buffer]).toEqual([size, first.buffer]);
  }
});

it('more than there is takes new memory', () => {
  const memory = new ReusedBytes();
  const first = memory.take(1000);
  expect(memory.take(1001).buffer).not.toBe(first.buffer);
});

it('much memory is not held for little: an idle watch has no use for what its start took', () => {
  const memory = new ReusedBytes();
  memory.take(124 * 1024);
  expect(memory.take(1000).buffer.byteLength).toBe(1000);
});
