import { afterEach, expect, it, vi } from 'vitest';
import { untilSignal } from '../src/manager/index.ts';

const before = { SIGTERM: process.listeners('SIGTERM'), SIGINT: process.listeners('SIGINT') };

afterEach(() => {
  vi.restoreAllMocks();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    for (const listener of process.listeners(name)) {
      if (!before[name].includes(listener)) process.off(name, listener);
    }
  }
});

it('the first signal of a process aborts, and the second one, of either kind, ends it', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const signal = untilSignal();
  expect(signal.aborted).toBe(false);
  process.emit('SIGTERM');
  expect(signal.aborted).toBe(true);
  expect(String(signal.reason)).toBe('Error: the process got SIGTERM');
  expect(exit).not.toHaveBeenCalled();
  expect(() => process.emit('SIGINT')).toThrow('exit 130');
  expect(() => process.emit('SIGTERM')).toThrow('exit 143');
});
