import { expect, it } from 'vitest';
import { podQosClass } from './pod-qos.ts';

const half = { cpu: '500m', memory: '1Gi' };
const same = { cpu: '0.5', memory: '1024Mi' };

it.each([
  ['nothing', [{}], 'BestEffort'],
  ['zeros', [{ requests: { cpu: '0' } }], 'BestEffort'],
  ['disk only', [{ requests: { 'ephemeral-storage': '1Gi' } }], 'BestEffort'],
  ['all that it is limited to', [{ limits: half, requests: same }], 'Guaranteed'],
  ['less than its limit', [{ limits: half, requests: { cpu: '100m', memory: '1Gi' } }], 'Burstable'],
  ['only one of the two', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'Burstable'],
  ['all in one container and nothing in another', [{ limits: half, requests: half }, {}], 'Burstable'],
] as const)('a pod that asks for %s', (_, resources, expected) => {
  expect(podQosClass({ containers: resources.map((part) => ({ resources: part })) })).toBe(expected);
});
