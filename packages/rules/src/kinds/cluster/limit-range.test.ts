import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const limitRange = builtInKind('core/v1.LimitRange');

function limitsOf(...limits: readonly object[]): unknown {
  return created(limitRange, { spec: { limits } })['spec'];
}

describe('a LimitRange', () => {
  it('of containers gives them the maximum as limit, and the limit or the minimum as request', () => {
    const type = 'Container';
    expect(limitsOf({ type, max: { cpu: '1' }, min: { cpu: '100m' } })).toMatchObject({
      limits: [{ default: { cpu: '1' }, defaultRequest: { cpu: '1' } }],
    });
    expect(limitsOf({ type, min: { cpu: '100m' } })).toMatchObject({ limits: [{ defaultRequest: { cpu: '100m' } }] });
    expect(limitsOf({ type, default: { cpu: '1' } })).toMatchObject({ limits: [{ defaultRequest: { cpu: '1' } }] });
    expect(limitsOf({ type: 'Pod', max: { cpu: '1' } })).toEqual({ limits: [{ type: 'Pod', max: { cpu: '1' } }] });
  });

  it.each([
    ['nothing wrong', { type: 'Container', max: { cpu: '1' } }, ''],
    [
      'an unknown type',
      { type: 'X' },
      'spec.limits[0].type: Invalid value: "X": must be a standard limit type or fully qualified',
    ],
    [
      'defaults of pods',
      { type: 'Pod', default: { cpu: '1' } },
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
    ],
    [
      'claims without storage',
      { type: 'PersistentVolumeClaim' },
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
    [
      'a default above the maximum',
      { type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } },
      '[spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1, ' +
        'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1]',
    ],
    [
      'a minimum above the maximum',
      { type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } },
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ],
    [
      'a ratio that cannot be reached',
      { type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
    ],
    [
      'devices that would be shared',
      { type: 'Container', default: { 'nvidia.com/gpu': '2' }, defaultRequest: { 'nvidia.com/gpu': '1' } },
      'spec.limits[0].defaultRequest[nvidia.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in nvidia.com/gpu',
    ],
    [
      'storage of pods',
      { type: 'Pod', max: { storage: '1' } },
      'spec.limits[0].max[storage]: Invalid value: "storage": must be a standard resource for containers',
    ],
  ])('with %s is validated', (_, limit, expected) => {
    expect(complaints(limitRange, { spec: { limits: [limit] } })).toBe(expected);
  });

  it('limits each type once', () => {
    const limit = { type: 'Pod', max: { cpu: '1' } };
    expect(complaints(limitRange, { spec: { limits: [limit, limit] } })).toBe(
      'spec.limits[1].type: Duplicate value: "Pod"',
    );
  });

  it('is created by PUT too', () => {
    expect(limitRange.strategy.allowsCreateOnUpdate).toBe(true);
  });
});
