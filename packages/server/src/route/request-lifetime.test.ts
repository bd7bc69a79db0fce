import { expect, it } from 'vitest';
import { RequestLifetime } from './request-lifetime.ts';

const tasks: (() => void)[] = [];
const clock = {
  now: () => 0,
  after: (_ms: number, task: () => void) => {
    tasks.push(task);
    return () => {
      tasks.splice(tasks.indexOf(task), 1);
    };
  },
};

it('aborts a signal that somebody holds, and one that is looked at later, with the first reason', () => {
  const life = new RequestLifetime();
  const { signal } = life;
  life.end(() => 'gone');
  life.end(() => 'again');
  expect([signal.aborted, signal.reason]).toEqual([true, 'gone']);
  const late = new RequestLifetime();
  late.end(() => 'gone');
  expect([late.over, late.signal.reason]).toEqual([true, 'gone']);
});

it('makes no reason that nobody looks at', () => {
  const life = new RequestLifetime();
  life.end(() => expect.unreachable());
  expect(life.over).toBe(true);
});

it('tells nobody of its end once its work is done', () => {
  const life = new RequestLifetime();
  const { signal } = life;
  life.finishWork();
  life.end(() => expect.unreachable());
  expect([life.over, signal.aborted]).toEqual([true, false]);
});

it('ends when its time is up, unless that is taken back', async () => {
  const life = new RequestLifetime();
  const error = new Error('late');
  const expired = life.deadline(clock, 5, () => error);
  tasks.shift()?.();
  await expect(expired).rejects.toBe(error);
  expect(life.signal.reason).toBe(error);
  const watch = new RequestLifetime();
  void watch.deadline(clock, 5, () => error);
  watch.cancelDeadline();
  expect(tasks).toEqual([]);
  expect(watch.over).toBe(false);
});

it('tells one listener of its end without a signal, and throws its reason from then on', () => {
  const life = new RequestLifetime();
  const heard: string[] = [];
  life.listen(() => heard.push('replaced'));
  life.listen(() => heard.push('told'));
  life.throwIfOver();
  life.end(() => new Error('gone'));
  expect(heard).toEqual(['told']);
  expect(() => life.throwIfOver()).toThrow('gone');
  const left = new RequestLifetime();
  left.listen(() => expect.unreachable());
  left.listen(undefined);
  left.end(() => 'gone');
});

it('tells a listener that comes after its end at once', () => {
  const life = new RequestLifetime();
  life.end(() => 'gone');
  let told = 0;
  life.listen(() => {
    told += 1;
  });
  expect(told).toBe(1);
});
