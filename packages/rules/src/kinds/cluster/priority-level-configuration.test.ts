import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const level = builtInKind('flowcontrol/v1.PriorityLevelConfiguration');
const limited = (fields: object): object => ({
  type: 'Limited',
  limited: { limitResponse: { type: 'Reject' }, ...fields },
});
const queue = (queuing?: object): object => limited({ limitResponse: { type: 'Queue', queuing } });
const QUEUING = 'spec.limited.limitResponse.queuing';

describe('a PriorityLevelConfiguration', () => {
  it('gets all defaults, also for zeros', () => {
    expect(created(level, { spec: queue({ queues: 0 }) })['spec']).toEqual({
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        lendablePercent: 0,
      },
    });
  });

  it('may have no share at all', () => {
    expect(created(level, { spec: limited({ nominalConcurrencyShares: 0 }) })).toMatchObject({
      spec: { limited: { nominalConcurrencyShares: 0 } },
    });
  });

  it.each([
    [limited({}), ''],
    [queue({}), ''],
    [{}, 'spec.type: Required value'],
    [{ type: 'X' }, 'spec.type: Unsupported value: "X": supported values: "Exempt", "Limited"'],
    [{ type: 'Limited' }, 'spec.limited: Required value: must not be empty when type is Limited'],
    [{ type: 'Exempt' }, "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
    [{ ...limited({}), exempt: {} }, 'spec.exempt: Forbidden: must be nil if the type is Limited'],
    [
      limited({ lendablePercent: 101 }),
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
    ],
    [queue(), `${QUEUING}: Required value: must not be empty if limited.limitResponse.type is Limited`],
    [queue({ queues: 4, handSize: 5 }), `${QUEUING}.handSize: Invalid value: 5: should not be greater than queues (4)`],
    [
      queue({ queues: 1_000_000 }),
      `${QUEUING}.handSize: Invalid value: 8: required entropy bits of deckSize 1000000 and handSize 8 should not be greater than 60`,
    ],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(level, { spec })).toBe(expected);
  });

  it('stays as it is if every server needs it, but for the limits of the exempt one', () => {
    expect(complaints(level, { spec: limited({}) }, { name: 'catch-all' })).toMatch(
      /spec of 'catch-all' must equal the fixed value$/,
    );
    const exempt = { nominalConcurrencyShares: 10, lendablePercent: 50 };
    expect(complaints(level, { spec: { type: 'Exempt', exempt } }, { name: 'exempt' })).toBe('');
  });

  it('shows its shares and queues', () => {
    const cells = ['a', 'Limited', 30, 64, 8, 50, '<unknown>'];
    expect(level.columns.cells(created(level, { spec: queue({}) }), 0)).toEqual(cells);
    expect(level.columns.cells(created(level, { spec: { type: 'Exempt' } }), 0).slice(2, 4)).toEqual([
      '<none>',
      '<none>',
    ]);
  });
});
