import { describe, expect, it } from 'vitest';
import { Flow } from './flow.ts';
import { LoopLevel } from './loop-share.ts';
import { type Queuing, SeatQueues } from './seat-queues.ts';
import { SeatRequest } from './seat-request.ts';

const DETAILS = {
  userName: '',
  verb: '',
  path: '',
  namespace: '',
  name: '',
  apiVersion: '',
  resource: '',
  subresource: '',
};

/** A level with its requests. */
class Scene {
  readonly dispatched: SeatRequest[] = [];
  blocked = 0;
  readonly level: SeatQueues;
  readonly #loop = new LoopLevel(1, false);

  constructor(limit: number, queuing?: Queuing) {
    this.level = new SeatQueues(
      {
        dispatched: (request) => this.dispatched.push(request),
        blocked: () => {
          this.blocked += 1;
        },
        changed: () => undefined,
      },
      queuing,
      limit,
      0,
    );
  }

  flow(name: string): Flow {
    return new Flow('schema', name, this.#loop);
  }

  arrive(flow: Flow, { seats = 1, at = 0 } = {}): { readonly request: SeatRequest; readonly as: string } {
    const request = new SeatRequest(flow, seats, at, () => DETAILS);
    return { request, as: this.level.arrive(request, at) };
  }
}

const QUEUING: Queuing = { queues: 16, handSize: 4, queueLengthLimit: 5 };

describe('a level without queues', () => {
  it('rejects what finds no seat, and takes requests again when one ends', () => {
    const scene = new Scene(2);
    const flow = scene.flow('a');
    const first = scene.arrive(flow);
    expect([first.as, scene.arrive(flow).as, scene.arrive(flow).as]).toEqual([
      'executing',
      'executing',
      'concurrency-limit',
    ]);
    scene.level.finish(first.request, 5, 0);
    expect(scene.arrive(flow).as).toBe('executing');
  });
});

describe('a level with queues', () => {
  it('queues up to the limit of each queue of the hand, then rejects', () => {
    const scene = new Scene(1, QUEUING);
    const flow = scene.flow('a');
    const seen = Array.from({ length: 25 }, () => scene.arrive(flow).as);
    expect(seen.filter((as) => as === 'executing')).toHaveLength(1);
    expect(seen.filter((as) => as === 'waiting')).toHaveLength(20);
    expect(seen.slice(21)).toEqual(['queue-full', 'queue-full', 'queue-full', 'queue-full']);
  });

  it('dispatches in turns between flows, whoever has more', () => {
    const scene = new Scene(1, { queues: 64, handSize: 1, queueLengthLimit: 100 });
    const [noisy, quiet] = [scene.flow('noisy'), scene.flow('quiet')];
    for (let index = 0; index < 20; index += 1) scene.arrive(noisy);
    for (let index = 0; index < 3; index += 1) scene.arrive(quiet);
    for (let turn = 0; turn < 8; turn += 1) {
      const running = scene.dispatched.at(-1);
      if (running !== undefined) scene.level.finish(running, turn * 10, 0.01);
    }
    const order = scene.dispatched.map(({ flow }) => flow.distinguisher);
    expect(order.filter((name) => name === 'quiet')).toHaveLength(3);
    expect(order.indexOf('quiet')).toBeLessThanOrEqual(2);
  });

  it('leaves a quarter of the seats to other flows', () => {
    const scene = new Scene(8, QUEUING);
    const [noisy, quiet] = [scene.flow('noisy'), scene.flow('quiet')];
    for (let index = 0; index < 10; index += 1) scene.arrive(noisy);
    expect(scene.level.inUse).toBe(6);
    expect(scene.arrive(quiet).as).toBe('executing');
  });

  it('lets nobody overtake a wide request that is first and does not fit', () => {
    const scene = new Scene(4, { queues: 64, handSize: 1, queueLengthLimit: 10 });
    const [a, b, c] = [scene.flow('a'), scene.flow('b'), scene.flow('c')];
    const first = scene.arrive(a, { seats: 2 });
    const second = scene.arrive(a, { seats: 1 });
    const wide = scene.arrive(b, { seats: 3 });
    // What its queue owes puts the narrow one behind.
    const narrow = scene.arrive(c, { seats: 1 });
    scene.level.finish(narrow.request, 0, 5);
    expect(scene.arrive(c, { seats: 1, at: 0 }).as).toBe('executing');
    expect([wide.as, scene.blocked]).toEqual(['waiting', 2]);
    scene.level.finish(first.request, 10, 0);
    scene.level.finish(second.request, 10, 0);
    expect(wide.request.state).toBe('executing');
  });

  it('lets a request that is wider than the limit run when nothing else does', () => {
    const scene = new Scene(2, QUEUING);
    expect(scene.arrive(scene.flow('a'), { seats: 7 }).as).toBe('executing');
  });

  it('forgets a request that leaves the queue', () => {
    const scene = new Scene(1, QUEUING);
    const flow = scene.flow('a');
    const first = scene.arrive(flow);
    const second = scene.arrive(flow);
    scene.level.leave(second.request, 1);
    scene.level.finish(first.request, 2, 0);
    expect([scene.level.waiting, scene.level.executing, flow.isIdle, scene.level.activeQueues]).toEqual([
      0,
      0,
      true,
      0,
    ]);
  });

  it('goes on with narrower requests when a wide one that they waited behind leaves', () => {
    const scene = new Scene(4, { queues: 64, handSize: 1, queueLengthLimit: 10 });
    const [a, b, c] = [scene.flow('a'), scene.flow('b'), scene.flow('c')];
    scene.arrive(a, { seats: 2 });
    const wide = scene.arrive(b, { seats: 3 });
    const narrow = scene.arrive(c, { seats: 1, at: 10 });
    expect([wide.as, narrow.as]).toEqual(['waiting', 'waiting']);
    scene.level.leave(wide.request, 20);
    expect([narrow.request.state, scene.level.waiting]).toEqual(['executing', 0]);
  });

  it('dispatches at once when its limit rises, and takes no seat back when it falls', () => {
    const scene = new Scene(1, QUEUING);
    const flow = scene.flow('a');
    for (let index = 0; index < 4; index += 1) scene.arrive(flow);
    scene.level.configure(QUEUING, 8, 5);
    expect(scene.level.executing).toBe(4);
    scene.level.configure(QUEUING, 1, 6);
    expect([scene.level.executing, scene.arrive(flow).as]).toEqual([4, 'waiting']);
  });

  it('keeps no queue that is not used, of ten million', () => {
    const scene = new Scene(10, { queues: 10_000_000, handSize: 2, queueLengthLimit: 1 });
    for (let user = 0; user < 500; user += 1) {
      const { request } = scene.arrive(scene.flow(`u${user}`), { at: user });
      scene.level.finish(request, user, 0);
    }
    expect(scene.level.activeQueues).toBe(0);
  });
});
