import { resumableSteps } from '@listwatch/api/internal';
import { expect, it } from 'vitest';
import { readFields } from './fields-v1.ts';

const LONG = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`v:"f${index}"`, {}]));

it('a long level is read in steps, also when another request has read the same meanwhile', () => {
  const fields = { 'f:metadata': { '.': {}, 'f:finalizers': LONG }, 'f:short': { 'f:a': {} } };
  const steps = resumableSteps(
    () => readFields(fields),
    () => {
      let items = 0;
      return () => {
        items += 1;
        return items === 500;
      };
    },
  );
  let pauses = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      expect([pauses, step.value?.print()]).toEqual([10, readFields(fields)?.print()]);
      return;
    }
    pauses += 1;
    readFields(fields);
  }
});

it('a long level with a key that cannot be read makes the set unreadable', () => {
  expect(readFields({ 'f:a': { ...LONG, 'v:{': {} } })).toBeUndefined();
});
