import { describe, expect, it } from 'vitest';
import { ComputeError } from '../../compute/compute-error.ts';
import type { RunOptions } from '../../compute/compute-pool.ts';
import type { FormOrder, LargeWork, WriteAttempt } from '../../contract/large-work.ts';
import { configMap } from '../../kinds/built-in-definitions.fixture.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { largeWrites } from './large-writes.ts';

const SMALL = 1000;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- large writes look whether it is there
const custom = { ...configMap, custom: {} } as ResourceDefinition;
const SHARED = { key: 'widgets@1', bytes: Buffer.from('{}') };
const { signal } = new AbortController();
const flow = undefined;

interface Run {
  readonly job: string;
  readonly input: object;
  readonly options: RunOptions;
}

function work({
  failure,
  smallBytes = SMALL,
  isServed = true,
}: {
  failure?: Error;
  smallBytes?: number;
  isServed?: boolean;
} = {}) {
  const runs: Run[] = [];
  const whole = Buffer.from('-made-');
  const pool = {
    run: async (job: string, input: object, options: RunOptions): Promise<never> => {
      runs.push({ job, input, options });
      if (failure !== undefined) throw failure;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what either job gives
      return { made: new Uint8Array(whole.buffer, whole.byteOffset + 1, 4), name: 'drafted' } as never;
    },
  };
  const large: LargeWork = largeWrites({
    pool,
    smallBytes,
    definitionOf: () => (isServed ? SHARED : undefined),
    isCostly: (_, bytes) => bytes === 77,
  });
  return { large, runs };
}

describe('the worker takes', () => {
  it.each([
    ['an object of a built-in kind as large as a small one', configMap, SMALL, false],
    ['a larger object of a built-in kind', configMap, SMALL + 1, true],
    ['a costly number of bytes of a built-in kind', configMap, 77, false],
    ['an object of a custom kind as large as a small one', custom, SMALL, false],
    ['a larger object of a custom kind', custom, SMALL + 1, true],
    ['a custom object that takes long to validate', custom, 77, true],
  ])('%s', (_, definition, bytes, expected) => {
    expect(work().large.takes(definition, bytes)).toBe(expected);
  });

  it('no object of a kind that is not served any more, and none at all when it is switched off', () => {
    expect(work({ isServed: false }).large.takes(custom, SMALL + 1)).toBe(false);
    const off = work({ smallBytes: Infinity }).large;
    expect([off.takes(custom, 77), off.takes(configMap, 2 ** 30)]).toEqual([false, false]);
  });

  it.each<[FormOrder['form'], ResourceDefinition, number, boolean]>([
    ['yaml', configMap, 4 * SMALL, false],
    ['yaml', configMap, 4 * SMALL + 1, true],
    ['cells', configMap, 4 * SMALL + 1, true],
    ['message', configMap, 4 * SMALL + 1, true],
    ['yaml', custom, 4 * SMALL + 1, true],
    ['item', custom, 4 * SMALL + 1, true],
    ['cells', custom, 4 * SMALL + 1, false],
    ['message', custom, 4 * SMALL + 1, false],
  ])(
    'the form %s of large objects, of custom kinds only where it needs no kind',
    (form, definition, bytes, expected) => {
      expect(work().large.takesForm(form, definition, bytes)).toBe(expected);
    },
  );
});

describe('a job', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed on as it is
  const attempt = { key: 'k' } as WriteAttempt;
  const options = { flow, signal, warn: () => undefined, answer: async () => ({ given: true }) };

  it('makes a form with the name of the resource alone, and gives its bytes without a copy', async () => {
    const { large, runs } = work();
    const order = { form: 'yaml', object: Buffer.from('{}') };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an order of the least
    const made = await large.form(configMap, order as unknown as FormOrder, { flow, signal });
    expect([made.toString(), Buffer.isBuffer(made)]).toEqual(['made', true]);
    const resource = { group: '', version: 'v1', plural: 'configmaps' };
    expect(runs).toEqual([{ job: 'form', input: { ...order, resource }, options: { flow, signal } }]);
  });

  it('of a write has the definition of a custom kind, and asks for what only this thread knows', async () => {
    const { large, runs } = work();
    expect(await large.draft(configMap, attempt, options)).toMatchObject({ name: 'drafted' });
    await large.draft(custom, attempt, options);
    expect(runs.map(({ job, input, options: own }) => [job, input, own.shared, own.asksOthers])).toEqual([
      ['write', { key: 'k', definition: undefined }, [], true],
      ['write', { key: 'k', definition: SHARED.key }, [SHARED], true],
    ]);
    expect(runs[0]?.options).toMatchObject({ signal, warn: options.warn });
    expect(await runs[0]?.options.answer?.({ type: 'may-create' })).toEqual({ given: true });
  });

  it.each([
    ['of the worker becomes an answer', new ComputeError('COMPUTE_FULL', 'full'), { httpCode: 429 }],
    ['of the request stays what it is', new RangeError('refused'), { message: 'refused' }],
  ])('that fails: a failure %s', async (_, failure, expected) => {
    const { large } = work({ failure });
    await expect(large.draft(configMap, attempt, options)).rejects.toMatchObject(expected);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an order of the least
    await expect(large.form(configMap, {} as FormOrder, { flow, signal })).rejects.toMatchObject(expected);
  });
});
