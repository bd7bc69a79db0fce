import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLinearizable, type Operation } from './linearizability.ts';
import { type ObjectInput, type ObjectOutput, objectRegister } from './object-register.ts';

type Op = Operation<ObjectInput, ObjectOutput>;

const NEVER = Number.POSITIVE_INFINITY;
const DONE = { type: 'done' } as const;
const MISSING = { type: 'missing' } as const;
const CONFLICT = { type: 'conflict' } as const;
const value = (token: string): ObjectOutput => ({ type: 'value', token });
const create = (token: string): ObjectInput => ({ type: 'create', token });
const update = (expected: string, token: string): ObjectInput => ({ type: 'update', expected, token });
const remove: ObjectInput = { type: 'delete' };
const get: ObjectInput = { type: 'get' };

function op(calledAt: number, returnedAt: number, input: ObjectInput, output?: ObjectOutput): Op {
  return { calledAt, returnedAt, input, output };
}

const check = (...operations: readonly Op[]): string => checkLinearizable(objectRegister, operations);

describe('a history that is linearizable', () => {
  it.each<[string, readonly Op[]]>([
    ['is empty', []],
    [
      'is sequential',
      [op(0, 1, create('a'), DONE), op(2, 3, get, value('a')), op(4, 5, remove, DONE), op(6, 7, get, MISSING)],
    ],
    ['has a read that overlaps a write, and sees it', [op(0, 10, create('a'), DONE), op(1, 2, get, value('a'))]],
    ['has a read that overlaps a write, and does not see it', [op(0, 10, create('a'), DONE), op(1, 2, get, MISSING)]],
    [
      'has two creates of which one wins',
      [op(0, 5, create('a'), DONE), op(1, 6, create('b'), CONFLICT), op(7, 8, get, value('a'))],
    ],
    [
      'has a lost answer whose write was done much later',
      [op(0, NEVER, create('a')), op(1, 2, get, MISSING), op(3, 4, get, value('a'))],
    ],
    [
      'has a lost answer whose write was never done',
      [op(0, NEVER, create('a')), op(1, 2, get, MISSING), op(3, 4, create('b'), DONE)],
    ],
    [
      'has a lost delete that explains a 404',
      [op(0, 1, create('a'), DONE), op(2, NEVER, remove), op(3, 4, get, value('a')), op(5, 6, get, MISSING)],
    ],
    [
      'has updates of one version of which one wins',
      [
        op(0, 1, create('a'), DONE),
        op(2, 9, update('a', 'b'), DONE),
        op(2, 9, update('a', 'c'), CONFLICT),
        op(10, 11, get, value('b')),
      ],
    ],
  ])('%s', (_, operations) => {
    expect(check(...operations)).toBe('linearizable');
  });
});

describe('a history that is not linearizable', () => {
  it.each<[string, readonly Op[]]>([
    ['loses an acknowledged write', [op(0, 1, create('a'), DONE), op(2, 3, get, MISSING)]],
    [
      'reads what was overwritten before',
      [op(0, 1, create('a'), DONE), op(2, 3, update('a', 'b'), DONE), op(4, 5, get, value('a'))],
    ],
    ['reads what nobody wrote', [op(0, 1, create('a'), DONE), op(2, 3, get, value('x'))]],
    [
      'goes back in time between two reads',
      [
        op(0, 1, create('a'), DONE),
        op(2, 20, update('a', 'b'), DONE),
        op(3, 4, get, value('b')),
        op(5, 6, get, value('a')),
      ],
    ],
    ['lets two creates win', [op(0, 5, create('a'), DONE), op(1, 6, create('b'), DONE)]],
    [
      'lets two updates of one version win',
      [op(0, 1, create('a'), DONE), op(2, 9, update('a', 'b'), DONE), op(2, 9, update('a', 'c'), DONE)],
    ],
    ['refuses the only update', [op(0, 1, create('a'), DONE), op(2, 3, update('a', 'b'), CONFLICT)]],
    [
      'does a write again after its successor',
      [
        op(0, NEVER, update('a', 'b')),
        op(0, 1, create('a'), DONE),
        op(2, 3, get, value('b')),
        op(4, 5, update('b', 'c'), DONE),
        op(6, 7, get, value('b')),
      ],
    ],
    [
      'finds an object again that was deleted',
      [op(0, 1, create('a'), DONE), op(2, 3, remove, DONE), op(4, 5, get, value('a'))],
    ],
    ['does a write before it was asked for', [op(0, 1, get, value('a')), op(2, 3, create('a'), DONE)]],
  ])('%s', (_, operations) => {
    expect(check(...operations)).toBe('not linearizable');
  });
});

describe('random histories', () => {
  /** Runs operations one by one, then blurs their times: a call may be earlier and a return later than its effect. */
  const history = fc
    .array(
      fc.record({
        kind: fc.nat({ max: 3 }),
        before: fc.nat({ max: 30 }),
        after: fc.nat({ max: 30 }),
        lost: fc.boolean(),
      }),
      {
        maxLength: 40,
      },
    )
    .map((draws) => {
      let state = '';
      return draws.map(({ kind, before, after, lost }, at): Op => {
        const token = `t${at}`;
        const inputs: readonly ObjectInput[] = [
          create(token),
          update(at % 5 === 0 ? 'old' : state, token),
          remove,
          get,
        ];
        const input = inputs[kind] ?? get;
        const outputs: readonly ObjectOutput[] = [DONE, CONFLICT, MISSING, value(state)];
        const output = outputs.find((one) => objectRegister.step(state, input, one) !== undefined);
        state = objectRegister.step(state, input, output)?.state ?? state;
        const isLost = lost && input.type !== 'get';
        return op(at * 10 - before, isLost ? NEVER : at * 10 + 5 + after, input, isLost ? undefined : output);
      });
    });

  it('with any overlaps and lost answers are linearizable', () => {
    const property = fc.property(history, (operations) => {
      expect(check(...operations)).toBe('linearizable');
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('with a last read of something that nobody wrote are not', () => {
    const late = op(100_000, 100_001, get, value('x'));
    const property = fc.property(history, (operations) => {
      expect(check(...operations, late)).not.toBe('linearizable');
    });
    fc.assert(property, { numRuns: 30 });
  });
});

it('gives up after the allowed steps', () => {
  const operations = Array.from({ length: 30 }, (_, at) => op(at, NEVER, create(`t${at}`)));
  expect(checkLinearizable(objectRegister, [...operations, op(100, 101, get, value('x'))], 1000)).toBe('undecided');
});
