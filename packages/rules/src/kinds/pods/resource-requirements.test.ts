import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { validateResourceRequirements } from './resource-requirements.ts';

describe('the resources of a container', () => {
  it.each([
    ['none', {}, ''],
    ['less than the limit', { requests: { cpu: '500m' }, limits: { cpu: '1' } }, ''],
    [
      'more than the limit',
      { requests: { cpu: '2' }, limits: { cpu: '1' } },
      'r.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      'a negative amount',
      { requests: { cpu: '-1' } },
      'r.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    [
      'an unknown resource',
      { limits: { foo: '1' } },
      '[r.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, r.limits[foo]: Invalid value: "foo": must be a standard resource for containers]',
    ],
    [
      'a device without a limit',
      { requests: { 'nvidia.com/gpu': '1' } },
      'r.limits: Required value: Limit must be set for non overcommitable resources',
    ],
    [
      'a device below its limit',
      { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '2' } },
      'r.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2',
    ],
    [
      'half a device',
      { limits: { 'nvidia.com/gpu': '1500m' } },
      'r.limits[nvidia.com/gpu]: Invalid value: "1500m": must be an integer',
    ],
    ['huge pages alone', { limits: { 'hugepages-2Mi': '4Mi' } }, 'r: Forbidden: HugePages require cpu or memory'],
    [
      'half a huge page',
      { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } },
      'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ],
  ])('that are %s are validated', (_, resources, expected) => {
    expect(fieldErrorsText(validateResourceRequirements(resources, 'r'))).toBe(expected);
  });
});
