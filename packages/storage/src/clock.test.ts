import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

afterEach(() => vi.useRealTimers());

it('the system clock runs a task once after its time, and not when it was cancelled', () => {
  vi.useFakeTimers();
  const task = vi.fn();
  const cancelled = vi.fn();
  systemClock.after(1000, task);
  systemClock.after(1000, cancelled)();
  vi.advanceTimersByTime(999);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(task).toHaveBeenCalledOnce();
  expect(cancelled).not.toHaveBeenCalled();
});

it('a wait beyond what timers can hold does not fire at once', () => {
  vi.useFakeTimers();
  const task = vi.fn();
  systemClock.after(2 ** 40, task);
  vi.advanceTimersByTime(60_000);
  expect(task).not.toHaveBeenCalled();
});
