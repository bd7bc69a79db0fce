import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { FlowControl } from './flow-control.ts';
import type { FlowRefusal, FlowTicket } from './flow-ticket.ts';

const RULES = [
  {
    subjects: [{ kind: 'Group', group: { name: 'system:authenticated' } }],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  },
];

function schema(name: string, precedence: number, rules: readonly object[] = RULES): ReturnType<typeof object> {
  return object('FlowSchema', name, {
    matchingPrecedence: precedence,
    priorityLevelConfiguration: { name: 'level' },
    distinguisherMethod: { type: 'ByUser' },
    rules,
  });
}

function object(kind: string, name: string, spec: object) {
  return { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind, metadata: { name, uid: name }, spec };
}

const LEVEL = object('PriorityLevelConfiguration', 'level', {
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: 20,
    limitResponse: { type: 'Queue', queuing: { queues: 128, handSize: 6, queueLengthLimit: 50 } },
  },
});

function attributes(name: string): AccessAttributes {
  return {
    user: { name, groups: ['system:authenticated'] },
    verb: 'list',
    isResource: true,
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: '',
    name: '',
    path: '/api/v1/configmaps',
  };
}

type Outcome = 'seat' | 'wait' | FlowRefusal['reason'];

/** A server with a hundred seats. */
class Scene {
  readonly clock = new FakeClock();
  readonly control: FlowControl;
  readonly waits: Promise<FlowRefusal | undefined>[] = [];
  readonly seated: FlowTicket[] = [];

  constructor(schemas = [schema('all', 9000)]) {
    const objects = { schemas, levels: [LEVEL] };
    this.control = new FlowControl({ read: () => objects, totalSeats: 100, clock: this.clock });
  }

  ask(name: string, bytes = 0): Outcome {
    const ticket = this.control.ticket(attributes(name), bytes, false);
    if (ticket === undefined) throw new Error('not classified');
    const entered = ticket.enter({ waitMs: 15_000, onGone: () => undefined });
    if (entered instanceof Promise) {
      this.waits.push(
        entered.then((refusal) => (refusal === undefined ? void this.seated.push(ticket) : undefined, refusal)),
      );
      return 'wait';
    }
    if (entered !== undefined) return entered.reason;
    this.seated.push(ticket);
    return 'seat';
  }
}

function counted(outcomes: readonly Outcome[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

describe('an attack on flow control', () => {
  it('by one user with 10 000 requests fills his queues, and another user has a seat at once', async () => {
    const scene = new Scene();
    const outcomes = counted(Array.from({ length: 10_000 }, () => scene.ask('eve')));
    expect(outcomes.wait).toBe(300);
    expect(outcomes['queue-full']).toBeGreaterThan(9000);
    expect(scene.ask('ann')).toBe('seat');
    await scene.clock.advance(15_000);
    expect((await Promise.all(scene.waits)).filter((refusal) => refusal?.reason === 'time-out')).toHaveLength(300);
  });

  it('by 1 000 users with a request each serves all of them in turn, and remembers few', async () => {
    const scene = new Scene();
    for (let user = 0; user < 1000; user += 1) expect(['seat', 'wait']).toContain(scene.ask(`user-${user}`));
    for (let ticket = scene.seated.shift(); ticket !== undefined; ticket = scene.seated.shift()) {
      ticket.leave();
      await Promise.resolve();
    }
    expect((await Promise.all(scene.waits)).every((refusal) => refusal === undefined)).toBe(true);
    for (let user = 0; user < 5000; user += 1) {
      scene.ask(`once-${user}`);
      scene.seated.shift()?.leave();
    }
    const flows = [...scene.control.levels].reduce((sum, level) => sum + [...level.flows].length, 0);
    expect(flows).toBeLessThanOrEqual(1100);
  });

  it('by requests that are given up while they wait, by their clients or in time, leaves no seat and no place taken', async () => {
    const scene = new Scene();
    const leavers: (() => void)[] = [];
    const waits: Promise<FlowRefusal | undefined>[] = [];
    const enter = (name: string): FlowTicket | undefined => {
      const ticket = scene.control.ticket(attributes(name), 0, false);
      let gone: (() => void) | undefined;
      const entered = ticket?.enter({
        waitMs: 15_000,
        onGone: (listener) => {
          gone = listener;
        },
      });
      if (entered instanceof Promise) {
        leavers.push(() => gone?.());
        waits.push(entered);
      }
      return entered === undefined ? ticket : undefined;
    };
    const seated = Array.from({ length: 2000 }, (_, index) => enter(`user-${index % 20}`)).filter(
      (ticket) => ticket !== undefined,
    );
    // Some leave before anybody ends, some while seats are given on.
    for (const leave of leavers.splice(0, 100)) leave();
    for (const ticket of seated) {
      ticket.leave();
      ticket.leave();
      leavers.shift()?.();
    }
    for (const leave of leavers) leave();
    await scene.clock.advance(15_000);
    const outcomes = await Promise.all(waits);
    const level = [...scene.control.levels].find(({ name }) => name === 'level');
    const given = outcomes.filter((refusal) => refusal === undefined).length;
    expect([level?.seats.waiting, level?.seats.executing, level?.seats.inUse]).toEqual([0, given, given]);
    const [counts] = [...scene.control.counts].filter((one) => one.level === 'level');
    expect([counts?.waiting, counts?.waitingSeats, counts?.executing]).toEqual([0, 0, given]);
    expect(scene.clock.pending).toBeLessThanOrEqual(1);
  });

  it('by a body of 3 MB takes as many seats as its level allows, and no more', () => {
    const scene = new Scene();
    expect(scene.ask('eve', 3_000_000)).toBe('seat');
    const level = [...scene.control.levels].find(({ name }) => name === 'level');
    expect(level?.seats.inUse).toBeGreaterThan(1);
    expect(level?.seats.inUse).toBeLessThanOrEqual(15);
  });

  it('by 1 000 FlowSchemas with 50 rules each costs a user once', () => {
    const rule = { ...RULES[0], subjects: [{ kind: 'User', user: { name: 'nobody' } }] };
    const many = Array.from({ length: 1000 }, (_, index) =>
      schema(
        `s${index}`,
        100 + index,
        Array.from({ length: 50 }, () => rule),
      ),
    );
    const scene = new Scene([...many, schema('all', 9000)]);
    scene.ask('ann');
    // 50 000 rules for each of these would take minutes.
    for (let count = 0; count < 10_000; count += 1) scene.control.ticket(attributes('ann'), 0, false);
    expect([...scene.control.counts].map((one) => one.schema)).toEqual(['all']);
  });
});
