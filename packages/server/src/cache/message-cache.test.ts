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

it('a message that was prepared is not made again, and is prepared once', async () => {
  let encodes = 0;
  const messages = new MessageCache((json) => {
    encodes += 1;
    return encode(json);
  }, new ByteBudget(10_000));
  const [a, b] = [object('a'), object('b')];
  const made = Buffer.from('made elsewhere');
  let makes = 0;
  const make = async (): Promise<Buffer> => {
    makes += 1;
    return made;
  };
  await messages.prepare(a, make);
  await messages.prepare(a, make);
  expect([messages.of(a), makes, encodes]).toEqual([made, 1, 0]);
  messages.of(b);
  await messages.prepare(b, make);
  expect([messages.of(b).equals(made), makes, encodes]).toEqual([false, 1, 1]);
});

it('a message that is as large as the budget is kept, and one byte more is not', () => {
  const size = encode(object('a').bytes).length + 150;
  const [fits, small] = [new ByteBudget(size), new ByteBudget(size - 1)].map((budget) => {
    new MessageCache(encode, budget).of(object('a'));
    return budget.used;
  });
  expect([fits, small]).toEqual([size, 0]);
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
  expect([budget.used, messages.bytes, messages.evictOldest()]).toEqual([0, 0, false]);
  // The budget knows it no more: another member is asked.
  const others = new MessageCache(encode, budget);
  for (let i = 0; i < 200; i += 1) others.of(object(`name-${i}`));
  expect(budget.used).toBe(others.bytes);
});

it('an object that is not of its kind is an error that shows nothing of it', () => {
  const messages = new MessageCache(encode, new ByteBudget(10_000));
  const broken = object('a', Buffer.from('{"metadata":{"name":"a"},"data":{"password":12345}}'));
  expect(() => messages.of(broken)).toThrow(new TypeError('a value of type number cannot be written as string'));
});
