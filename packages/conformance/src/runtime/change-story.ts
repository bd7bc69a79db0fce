/** What one reader of an informer was told, in short. */

import type { StoreChange } from '@listwatch/runtime';
import { eventually } from '../storage/eventually.ts';
import { secretValue, type TestSecret } from './secret-fixture.ts';

/** Reads in the background, from the first change on. */
export class ChangeStory {
  readonly changes: StoreChange<TestSecret>[] = [];
  /**
   * `add a=1`, `update a=2 was 1`, `delete a=2`. What was there when the reader came has a star (`add* a=1`), a delete that was
   * missed a question mark (`delete? a=1`).
   */
  readonly told: string[] = [];

  constructor(changes: AsyncIterable<StoreChange<TestSecret>>) {
    void this.#read(changes);
  }

  /** Everything that was told, once it has at least so many entries. */
  async atLeast(count: number): Promise<readonly string[]> {
    await eventually(
      `${count} changes are told; so far ${JSON.stringify(this.told.slice(-20))}`,
      () => this.told.length >= count,
    );
    return this.told;
  }

  /** Everything up to this entry. */
  async until(last: string): Promise<readonly string[]> {
    await eventually(`"${last}" is told`, () => this.told.includes(last));
    return this.told;
  }

  async #read(changes: AsyncIterable<StoreChange<TestSecret>>): Promise<void> {
    try {
      for await (const change of changes) {
        this.changes.push(change);
        this.told.push(changeText(change));
      }
    } catch (error) {
      this.told.push(`ended by ${String(error)}`);
    }
  }
}

export function changeText(change: StoreChange<TestSecret>): string {
  const object = `${change.object.metadata.name}=${secretValue(change.object)}`;
  switch (change.type) {
    case 'add':
      return `add${change.initial ? '*' : ''} ${object}`;
    case 'update':
      return `update ${object} was ${secretValue(change.old)}`;
    case 'delete':
      return `delete${change.finalStateKnown ? '' : '?'} ${object}`;
  }
}
