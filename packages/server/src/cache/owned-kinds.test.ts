import { expect, it } from 'vitest';
import { configMap, event, pod } from '../kinds/built-in-definitions.fixture.ts';
import { OwnedKinds } from './owned-kinds.ts';

it('the kinds with owned objects are listed, in the order in which they came, without Events', () => {
  const kinds = new OwnedKinds(() => 0n);
  expect(kinds.current).toEqual([]);
  kinds.set(pod, true);
  kinds.set(event, true);
  kinds.set(configMap, true);
  expect(kinds.current).toEqual([pod.resource, configMap.resource]);
  expect(kinds.current).toBe(kinds.current);
  kinds.set(pod, false);
  expect(kinds.current).toEqual([configMap.resource]);
});

it('a listener hears of each change, once, until it stops; twice the same is two', () => {
  const kinds = new OwnedKinds(() => 0n);
  const heard: number[] = [];
  const listener = (): void => void heard.push(kinds.current.length);
  const [stop] = [kinds.subscribe(listener), kinds.subscribe(listener)];
  kinds.set(pod, true);
  kinds.set(pod, true);
  kinds.set(event, true);
  kinds.set(configMap, false);
  expect(heard).toEqual([1, 1]);
  stop();
  kinds.set(pod, false);
  expect(heard).toEqual([1, 1, 0]);
});

it('what a listener throws is reported, and the others hear of the change', () => {
  const errors: unknown[] = [];
  const kinds = new OwnedKinds(
    () => 0n,
    (error) => errors.push(error),
  );
  const failure = new Error('broken');
  let heard = 0;
  kinds.subscribe(() => {
    throw failure;
  });
  kinds.subscribe(() => {
    heard += 1;
  });
  kinds.set(pod, true);
  expect([errors, heard]).toEqual([[failure], 1]);
});

it('the last write of a resource is a version, or unknown', () => {
  const kinds = new OwnedKinds((resource) => (resource === 'pods' ? 7n : 0n));
  expect([kinds.lastWrite(pod.resource), kinds.lastWrite(configMap.resource)]).toEqual(['7', undefined]);
});
