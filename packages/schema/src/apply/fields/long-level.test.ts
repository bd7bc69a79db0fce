import { expect, it } from 'vitest';
import { readFields } from './fields-v1.ts';

const LONG = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`v:"f${index}"`, {}]));

it('a long level with a key that cannot be read makes the set unreadable', () => {
  expect(readFields({ 'f:a': { ...LONG, 'v:{': {} } })).toBeUndefined();
});
