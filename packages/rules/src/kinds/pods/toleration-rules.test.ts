import { describe, expect, it } from 'vitest';
import { validateTolerationsChange } from './toleration-rules.ts';

const change = (value: readonly object[], old: readonly object[]): number =>
  validateTolerationsChange(value, old, 'spec.tolerations').length;

describe('a change of tolerations', () => {
  const toleration = { key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 5 };

  it.each<[string, readonly object[], number]>([
    ['none may go', [], 1],
    ['one may be added', [{ key: 'new', operator: 'Exists' }, toleration], 0],
    ['the seconds may change', [{ ...toleration, tolerationSeconds: 7 }], 0],
    ['the value may not change', [{ ...toleration, value: 'w' }], 1],
    ['the effect may not go', [{ ...toleration, effect: undefined }], 1],
  ])('%s', (_, value, errors) => {
    expect(change(value, [toleration])).toBe(errors);
  });

  it('50 000 tolerations in another order are compared once each', { timeout: 30_000 }, () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }));
    expect(change(many.toReversed(), many)).toBe(0);
  });
});
