import { describe, expect, it } from 'vitest';
import { type Condition, findCondition, isConditionTrue, setCondition } from './condition.ts';

const ready: Condition = {
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'Up',
  message: '',
  observedGeneration: 1,
};
const other: Condition = { ...ready, type: 'Other' };
const later = new Date('2026-01-02T03:04:05.678Z');

describe('setCondition', () => {
  it('appends a type that is new, with the time in whole seconds', () => {
    expect(setCondition(undefined, { type: 'Ready', status: 'True', reason: 'Up' }, later)).toEqual([
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z', reason: 'Up', message: '' },
    ]);
    const clock = { now: () => later.getTime() };
    expect(setCondition([other], { type: 'Ready', status: 'True', reason: 'Up' }, clock)).toMatchObject([
      other,
      { lastTransitionTime: '2026-01-02T03:04:05Z' },
    ]);
  });

  it('gives back the same list when nothing changes, whatever the time', () => {
    const list = [other, ready];
    expect(setCondition(list, { ...ready, lastTransitionTime: '2026-05-05T00:00:00Z' }, later)).toBe(list);
  });

  it('keeps the time of the transition while the status stays', () => {
    const changed = setCondition(
      [ready, other],
      { ...ready, reason: 'StillUp', message: 'm', observedGeneration: 2 },
      later,
    );
    expect(changed).toEqual([{ ...ready, reason: 'StillUp', message: 'm', observedGeneration: 2 }, other]);
  });

  it('changes the time with the status, to a given one if there is one', () => {
    const { lastTransitionTime: _, ...down } = { ...ready, status: 'False' as const };
    expect(setCondition([ready], down, later)[0]?.lastTransitionTime).toBe('2026-01-02T03:04:05Z');
    const given = { ...down, lastTransitionTime: '2026-03-03T00:00:00Z' };
    expect(setCondition([ready], given, later)[0]?.lastTransitionTime).toBe('2026-03-03T00:00:00Z');
  });

  it('drops an observedGeneration that is no longer given', () => {
    const { observedGeneration: _, ...without } = ready;
    expect(setCondition([ready], without)[0]).not.toHaveProperty('observedGeneration');
  });
});

it('conditions are found by type, and are true only with the status True', () => {
  expect(findCondition([other, ready], 'Ready')).toBe(ready);
  expect(findCondition(undefined, 'Ready')).toBeUndefined();
  const list = [ready, { ...other, status: 'Unknown' }];
  expect(['Ready', 'Other', 'None'].map((type) => isConditionTrue(list, type))).toEqual([true, false, false]);
});
