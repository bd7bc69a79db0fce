import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from './system-clock.ts';

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

it('a wait of months is made of several timers, and can be cancelled in any of them', () => {
  vi.useFakeTimers();
  const task = vi.fn();
  const cancelled = vi.fn();
  const days = 24 * 60 * 60 * 1000;
  systemClock.after(60 * days, task);
  const cancel = systemClock.after(60 * days, cancelled);
  vi.advanceTimersByTime(30 * days);
  cancel();
  vi.advanceTimersByTime(30 * days - 1);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledOnce();
  expect(cancelled).not.toHaveBeenCalled();
});
