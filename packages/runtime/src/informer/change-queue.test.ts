import { beforeEach, describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../test/model-object.ts';
import { addChange, deleteChange, updateChange } from '../reflector/store-change.ts';
import { PlainKeeper } from '../store/object-keeper.ts';
import { StoreWriter } from '../store/store-writer.ts';
import { ChangeQueue } from './change-queue.ts';

let writer: StoreWriter<Thing, Thing>;

beforeEach(() => {
  writer = new StoreWriter(new PlainKeeper<Thing>('none'));
  for (const [index, key] of ['a/x', 'a/y'].entries()) writer.put(key, thing(key, index + 1));
});

/** Changes the store, and tells the queue, as an informer does. */
function put(queue: ChangeQueue<Thing>, key: string, version: number): void {
  const object = thing(key, version);
  const old = writer.put(key, object);
  queue.push(old === undefined ? addChange(key, object, false) : updateChange(key, old, object));
}

function remove(queue: ChangeQueue<Thing>, key: string): void {
  const old = writer.remove(key);
  if (old !== undefined) queue.push(deleteChange(key, old, true));
}

function takeAll(queue: ChangeQueue<Thing>): readonly string[] {
  const taken: string[] = [];
  for (let change = queue.take(); change !== undefined; change = queue.take()) {
    taken.push(`${change.type}${change.initial ? '*' : ''} ${change.key}@${change.object.metadata.resourceVersion}`);
  }
  return taken;
}

for (const policy of ['latest', 'fail'] as const) {
  describe(`a queue with the policy ${policy}`, () => {
    it('tells an object of the snapshot in the state that it has when its turn comes', () => {
      const queue = new ChangeQueue(writer.store, { policy });
      put(queue, 'a/y', 5);
      put(queue, 'a/z', 6);
      expect(queue.depth).toBe(3);
      expect(takeAll(queue)).toEqual(['add* a/x@1', 'add* a/y@5', 'add a/z@6']);
    });

    it('says nothing of an object of the snapshot that went before its turn', () => {
      const queue = new ChangeQueue(writer.store, { policy });
      remove(queue, 'a/x');
      expect(takeAll(queue)).toEqual(['add* a/y@2']);
    });

    it('an object that went and came again before its turn is an add', () => {
      const queue = new ChangeQueue(writer.store, { policy });
      remove(queue, 'a/x');
      put(queue, 'a/x', 9);
      expect(takeAll(queue)).toEqual(['add* a/y@2', 'add a/x@9']);
    });

    it('a resync tells each object once; what is news anyway, or goes before its turn, is not told twice', () => {
      writer.put('a/w', thing('a/w', 3));
      const queue = new ChangeQueue(writer.store, { policy });
      takeAll(queue);
      put(queue, 'a/x', 5);
      queue.resync();
      put(queue, 'a/y', 6);
      remove(queue, 'a/w');
      expect(takeAll(queue).toSorted()).toEqual(['delete a/w@3', 'update a/x@5', 'update a/y@6']);
    });

    it('a mark is reached when the snapshot and what came before it have been taken', () => {
      const queue = new ChangeQueue(writer.store, { policy });
      put(queue, 'a/z', 6);
      let reached = false;
      queue.mark(() => (reached = true));
      queue.take();
      queue.take();
      queue.take();
      expect(reached).toBe(false);
      expect([queue.take(), reached]).toEqual([undefined, true]);
    });
  });
}
