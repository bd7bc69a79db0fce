import { beforeEach, describe, expect, it } from 'vitest';
import { FlushPacer, type FlushSource, type PacerTime } from './flush-pacer.ts';

/** Time that stands still but for what sending costs. */
class ByHand implements PacerTime {
  time = 1000;
  readonly soon: (() => void)[] = [];
  readonly turns: (() => void)[] = [];
  timers: { readonly at: number; readonly task: () => void }[] = [];

  now(): number {
    return this.time;
  }

  atOnce(task: () => void): void {
    this.soon.push(task);
  }

  nextTurn(task: () => void): void {
    this.turns.push(task);
  }

  after(ms: number, task: () => void): void {
    this.timers.push({ at: this.time + ms, task });
  }

  /** Ends the turn; the next one begins. */
  turn(): void {
    this.endOfTask();
    for (const task of this.turns.splice(0)) task();
    this.endOfTask();
  }

  /** What runs before anything else. */
  endOfTask(): void {
    for (const task of this.soon.splice(0)) task();
  }

  pass(ms: number): void {
    this.time += ms;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { task } of due) task();
    this.endOfTask();
  }
}

let time: ByHand;
let pacer: FlushPacer;
/** What was sent, and when. */
let sent: string[];

beforeEach(() => {
  time = new ByHand();
  pacer = new FlushPacer(time);
  sent = [];
});

/** A group of sixteen watchers, as many as are served between two looks at the time. */
const GROUP = 16;

/** Groups of watchers that each take this long. */
function source(name: string, groups: number, msEach: number): FlushSource {
  let left = 0;
  return {
    flush: (isOver) => {
      if (left === 0) left = groups * GROUP;
      while (left > 0) {
        left -= 1;
        if (left % GROUP === 0) time.time += msEach;
        if (left === 0) sent.push(`${name}@${time.time}`);
        if (isOver() && left > 0) return false;
      }
      return true;
    },
  };
}

describe('a lone event', () => {
  it('leaves before the task that brought it is over to anything else', () => {
    pacer.request(source('a', 1, 0.02));
    expect(sent).toEqual([]);
    time.endOfTask();
    expect(sent).toEqual(['a@1000.02']);
    expect(time.turns).toEqual([]);
    expect(time.timers).toEqual([]);
  });

  it('leaves as soon after a rest that is over', () => {
    const a = source('a', 1, 5);
    pacer.request(a);
    time.endOfTask();
    time.pass(5);
    pacer.request(a);
    time.endOfTask();
    expect(sent).toEqual(['a@1005', 'a@1015']);
  });

  it('leaves with all others of its task in one round', () => {
    const a = source('a', 1, 1);
    pacer.request(a);
    pacer.request(a);
    pacer.request(source('b', 1, 1));
    time.endOfTask();
    expect(sent).toEqual(['a@1001', 'b@1002']);
  });
});

describe('after a round', () => {
  it('nothing is sent for as long as the round took, and what came meanwhile leaves together', () => {
    const a = source('a', 1, 1.5);
    pacer.request(a);
    time.endOfTask();
    for (let i = 0; i < 5; i += 1) pacer.request(a);
    time.endOfTask();
    time.pass(1.25);
    expect(sent).toEqual(['a@1001.5']);
    time.pass(0.25);
    expect(sent).toHaveLength(2);
  });

  it('a rest that is shorter than a timer lasts until the next turn', () => {
    const a = source('a', 1, 0.1);
    pacer.request(a);
    time.endOfTask();
    pacer.request(a);
    time.endOfTask();
    expect(sent).toHaveLength(1);
    time.turn();
    expect(sent).toHaveLength(2);
  });

  it('of few watchers that took very long, because the process was stopped, the rest is short', () => {
    const a = source('a', 1, 400);
    pacer.request(a);
    time.endOfTask();
    pacer.request(a);
    expect(time.timers[0]?.at).toBeCloseTo(1401.6);
  });

  it('of very many watchers the rest is 50 ms', () => {
    const a = source('a', 100, 4);
    pacer.request(a);
    pacer.request(a);
    time.endOfTask();
    for (let i = 0; i < 99; i += 1) time.turn();
    expect(sent).toEqual(['a@1400']);
    pacer.request(a);
    expect(time.timers.map(({ at }) => at)).toEqual([1450]);
  });

  it('an event of another kind waits for the same rest', () => {
    pacer.request(source('a', 1, 3));
    time.endOfTask();
    pacer.request(source('b', 1, 1));
    time.endOfTask();
    expect(sent).toEqual(['a@1003']);
    time.pass(3);
    expect(sent).toEqual(['a@1003', 'b@1007']);
  });
});

describe('many watchers', () => {
  it('are served in slices, a short one and then longer ones, and the event loop has a turn between them', () => {
    pacer.request(source('a', 10, 1));
    time.endOfTask();
    expect(time.time).toBe(1001);
    time.turn();
    expect(time.time).toBe(1003);
    time.turn();
    expect(time.time).toBe(1005);
    for (let i = 0; i < 3; i += 1) time.turn();
    expect(sent).toEqual(['a@1010']);
  });

  it('rest for as long as all slices took', () => {
    const a = source('a', 10, 1);
    pacer.request(a);
    time.endOfTask();
    pacer.request(a);
    for (let i = 0; i < 5; i += 1) time.turn();
    expect(time.timers).toEqual([{ at: 1020, task: expect.any(Function) }]);
  });

  it('that get more events during a round never make it endless', () => {
    const a = source('a', 10, 1);
    pacer.request(a);
    time.endOfTask();
    for (let i = 0; i < 5; i += 1) {
      pacer.request(a);
      time.turn();
    }
    expect(sent).toHaveLength(1);
    time.turn();
    expect(sent).toHaveLength(1);
  });
});

describe('a failure', () => {
  it('of one kind is thrown, and the others are served', () => {
    const failure = new Error('no socket');
    pacer.request({
      flush: () => {
        throw failure;
      },
    });
    pacer.request(source('b', 1, 1));
    expect(() => time.endOfTask()).toThrow(failure);
    time.turn();
    expect(sent).toEqual(['b@1001']);
    time.pass(2);
    pacer.request(source('c', 1, 1));
    time.endOfTask();
    expect(sent).toEqual(['b@1001', 'c@1004']);
  });
});

it('the delay of a round is counted from its first event until all its watchers are served, in microseconds', () => {
  pacer.request(source('a', 1, 5));
  time.time += 3;
  pacer.request(source('b', 1, 2));
  time.turn();
  expect(sent).toHaveLength(2);
  expect(pacer.delays.count).toBe(1);
  expect(pacer.delays.max).toBeGreaterThanOrEqual(10_000);
  expect(pacer.delays.max).toBeLessThan(10_100);
  pacer.delays.reset();
  time.pass(1000);
  pacer.request(source('c', 1, 1));
  time.turn();
  expect(pacer.delays.max).toBeGreaterThanOrEqual(1000);
  expect(pacer.delays.max).toBeLessThan(1100);
});
