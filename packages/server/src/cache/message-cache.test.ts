import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { expect, it } from 'vitest';
import { encodeObject } from '../stored/object-message.ts';
import { ByteBudget } from './byte-budget.ts';
import type { CachedObject } from './cached-object.ts';
import { MessageCache } from './message-cache.ts';

await BUILT_IN_SCHEMAS.load('core/v1.ConfigMap');
const encode = (json: Buffer): Buffer => encodeObject(BUILT_IN_SCHEMAS.message('core/v1.ConfigMap'), json);

function object(name: string, bytes = Buffer.from(JSON.stringify({ metadata: { name } }))): CachedObject {
  return { key: name, namespace: '', name, revision: 1n, bytes, labels: {}, fields: {}, owned: false };
}

it('an object is encoded once; another version of it is another object', () => {
  const messages = new MessageCache(encode, new ByteBudget(10_000));
  const [a, next] = [object('a'), object('a')];
  expect(messages.of(a)).toBe(messages.of(a));
  expect(messages.of(next)).toEqual(messages.of(a));
  expect(messages.of(next)).not.toBe(messages.of(a));
});

it('the oldest go when the budget is exceeded, and no message is held that exceeds it alone', () => {
  const budget = new ByteBudget(500);
  const messages = new MessageCache(encode, budget);
  const objects = Array.from({ length: 50 }, (_, index) => object(`name-${index}`));
  const made = objects.map((one) => messages.of(one));
  expect(budget.used).toBeLessThanOrEqual(500);
  expect(messages.of(objects[49] ?? object(''))).toBe(made[49]);
  expect(messages.of(objects[0] ?? object(''))).not.toBe(made[0]);
  const before = budget.used;
  messages.of(object('large'.repeat(1000)));
  expect(budget.used).toBe(before);
});

it('says whether it has freed something: a budget would ask an empty cache for ever', () => {
  const messages = new MessageCache(encode, new ByteBudget(10_000));
  expect(messages.evictOldest()).toBe(false);
  messages.of(object('a'));
  expect([messages.evictOldest(), messages.bytes, messages.evictOldest()]).toEqual([true, 0, false]);
});

it('at its end everything is given back, and nothing is kept any more', () => {
  const budget = new ByteBudget(10_000);
  const messages = new MessageCache(encode, budget);
  messages.of(object('a'));
  expect(budget.used).toBeGreaterThan(0);
  messages.dispose();
  messages.of(object('b'));
  expect([budget.used, messages.bytes]).toEqual([0, 0]);
});

it('an object that is not of its kind is an error that shows nothing of it', () => {
  const messages = new MessageCache(encode, new ByteBudget(10_000));
  const broken = object('a', Buffer.from('{"metadata":{"name":"a"},"data":{"password":12345}}'));
  expect(() => messages.of(broken)).toThrow(new TypeError('a value of type number cannot be written as string'));
});
