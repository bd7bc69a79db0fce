import { forbidden, unauthorized } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it, vi } from 'vitest';
import { type Loss, type OpenRequest, OpenRequests } from './open-requests.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request that notes what it is asked, and answers as told. */
class Probe implements OpenRequest {
  readonly keys: readonly string[];
  readonly asked: Loss[] = [];
  ended = 0;
  refusal: Error | undefined;

  constructor(...keys: readonly string[]) {
    this.keys = keys;
  }

  readonly decide = async (loss: Loss): Promise<void> => {
    this.asked.push(loss);
    if (this.refusal !== undefined) throw this.refusal;
  };

  readonly end = (): void => {
    this.ended += 1;
  };
}

it('only the requests that a loss concerns are decided anew, each once', async () => {
  const open = new OpenRequests(new FakeClock());
  const [ann, bob] = [new Probe('user ann', 'group devs'), new Probe('user bob')];
  for (const probe of [ann, bob]) open.hold(probe, open.losses);
  open.lost('rights', ['user ann', 'group devs']);
  open.lost('rights', ['group devs', 'user nobody']);
  await turn();
  expect([ann.asked, bob.asked]).toEqual([['rights'], []]);
  expect(open.counts).toEqual({ checks: 1, ended: 0 });
});

it.each([unauthorized(), forbidden({ group: '', plural: 'pods' }, 'a', 'no')])(
  'a request that is refused is told to end until it does, and counts once',
  async (refusal) => {
    const clock = new FakeClock();
    const open = new OpenRequests(clock);
    const probe = new Probe('user ann');
    const release = open.hold(probe, open.losses);
    probe.refusal = refusal;
    open.lost('credential', ['user ann']);
    await vi.waitFor(() => expect(probe.ended).toBe(1));
    await clock.advance(1000);
    await vi.waitFor(() => expect(probe.ended).toBe(2));
    release();
    await clock.advance(1000);
    await turn();
    expect(probe.ended).toBe(2);
    expect(open.counts.ended).toBe(1);
    expect(open.waiting).toBe(0);
  },
);

it('a failure is no refusal: the request goes on and is decided again', async () => {
  const clock = new FakeClock();
  const open = new OpenRequests(clock);
  const probe = new Probe('user ann');
  open.hold(probe, open.losses);
  probe.refusal = new Error('the webhook is down');
  open.lost('rights', ['user ann']);
  await turn();
  await turn();
  expect(open.waiting).toBe(1);
  probe.refusal = undefined;
  await clock.advance(1000);
  await vi.waitFor(() => expect(probe.asked).toHaveLength(2));
  await turn();
  expect(probe).toMatchObject({ ended: 0, asked: ['rights', 'rights'] });
  expect(open.waiting).toBe(0);
});

it('what is lost while a request is decided for the first time is asked again', async () => {
  const open = new OpenRequests(new FakeClock());
  const before = open.losses;
  open.lost('rights', ['user ann']);
  const [late, current] = [new Probe('user ann'), new Probe('user ann')];
  open.hold(late, before);
  open.hold(current, open.losses);
  await turn();
  expect([late.asked, current.asked]).toEqual([['credential'], []]);
});

it('a loss that concerns everybody leaves room for others in every turn', async () => {
  const open = new OpenRequests(new FakeClock());
  const probes = Array.from({ length: 1000 }, () => new Probe('group system:authenticated'));
  for (const probe of probes) open.hold(probe, open.losses);
  open.lost('rights', ['group system:authenticated']);
  let [before, most] = [0, 0];
  while (before < probes.length) {
    await turn();
    most = Math.max(most, open.counts.checks - before);
    before = open.counts.checks;
  }
  expect(most).toBeLessThanOrEqual(200);
});

it('slow decisions hold at most a hundred places, and the rest waits', async () => {
  const open = new OpenRequests(new FakeClock());
  const answers: (() => void)[] = [];
  for (let index = 0; index < 300; index += 1) {
    open.hold(
      {
        keys: ['group g'],
        decide: () =>
          new Promise((resolve) => {
            answers.push(resolve);
          }),
        end: () => {},
      },
      open.losses,
    );
  }
  open.lost('rights', ['group g']);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(answers).toHaveLength(100);
  expect(open.waiting).toBe(300);
  while (open.waiting > 0) {
    for (const answer of answers.splice(0)) answer();
    await turn();
  }
  expect(open.counts).toEqual({ checks: 300, ended: 0 });
});

it('a request that has ended leaves nothing behind', async () => {
  const open = new OpenRequests(new FakeClock());
  const probe = new Probe('user ann');
  const release = open.hold(probe, open.losses);
  open.lost('rights', ['user ann']);
  release();
  await turn();
  expect(probe.asked).toEqual([]);
  expect(open.waiting).toBe(0);
});
