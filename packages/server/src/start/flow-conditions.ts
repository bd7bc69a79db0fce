/** Keeps the condition `Dangling` of all FlowSchemas. Every server does it, as every kube-apiserver; only what changes is written. */

import { monotonicMs } from '@listwatch/api/internal';
import { builtInKind } from '@listwatch/rules/internal';
import type { FlowObjects } from '../access/flow-classifier.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ObjectStore } from '../contract/verb.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { storedObject, writtenObject } from '../stored/stored-object.ts';
import { ConditionLimit } from './condition-limit.ts';
import { levelName, withDangling } from './dangling-condition.ts';

/** What it needs. */
export interface FlowConditionsParts {
  readonly store: ObjectStore;
  readonly caches: readonly ResourceCache[];
  readonly read: () => FlowObjects;
  readonly onError: (error: unknown) => void;
}

/** A failed write is tried again after this time, or with the next change. */
const RETRY_MS = 30_000;

/** Looks at all schemas after each change of a schema or level: there are few. */
export class FlowConditions {
  readonly #parts: FlowConditionsParts;
  #state: 'off' | 'idle' | 'running' | 'again' = 'off';
  readonly #limit = new ConditionLimit();
  #running: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;

  constructor(parts: FlowConditionsParts) {
    this.#parts = parts;
    for (const cache of parts.caches) {
      const before = cache.onGeneration;
      cache.onGeneration = (generation) => {
        before?.(generation);
        generation.listen({ changed: () => undefined, settled: () => this.#changed(), ended: () => undefined });
        this.#changed();
      };
    }
  }

  /** Once the caches are filled. */
  start(): void {
    this.#state = 'idle';
    this.#changed();
  }

  async stop(): Promise<void> {
    this.#state = 'off';
    this.#cancel?.();
    await this.#running;
  }

  #changed(): void {
    if (this.#state === 'running') this.#state = 'again';
    if (this.#state !== 'idle') return;
    this.#state = 'running';
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    // In another turn: this is called while the feed applies a change.
    await Promise.resolve();
    try {
      await this.#settleAll();
    } catch (error) {
      this.#parts.onError(error);
      this.#lookAgain(RETRY_MS);
    }
    const isAgain = this.#state === 'again';
    if (this.#state !== 'off') this.#state = 'idle';
    if (isAgain) this.#changed();
  }

  #lookAgain(ms: number): void {
    this.#cancel ??= this.#parts.store.clock.after(ms, () => {
      this.#cancel = undefined;
      this.#changed();
    });
  }

  async #settleAll(): Promise<void> {
    const objects = this.#parts.read();
    const { clock } = this.#parts.store;
    this.#limit.keep(new Set(objects.schemas.map(({ metadata }) => metadata.name ?? '')));
    let waitMs = Number.POSITIVE_INFINITY;
    const levels = new Set(objects.levels.map(({ metadata }) => metadata.name));
    for (const schema of objects.schemas) {
      const exists = levels.has(levelName(schema));
      if (schema.metadata.deletionTimestamp !== undefined || withDangling(schema, exists, clock.now()) === schema)
        continue;
      const name = schema.metadata.name ?? '';
      const limited = this.#limit.take(name, monotonicMs(clock));
      if (limited > 0) {
        waitMs = Math.min(waitMs, limited);
        continue;
      }
      await this.#settle(name, exists);
      if (this.#state === 'off') return;
    }
    if (Number.isFinite(waitMs)) this.#lookAgain(waitMs);
  }

  async #settle(name: string, exists: boolean): Promise<void> {
    const { engine, clock } = this.#parts.store;
    const definition = builtInKind('flowcontrol/v1.FlowSchema');
    await definition.load();
    const key = storedObjectKey(definition, { namespace: '', name });
    for (;;) {
      const { entry } = await engine.get(key);
      if (entry === undefined) return;
      const stored = storedObject(definition, entry);
      const next = withDangling(stored, exists, clock.now());
      if (next === stored) return;
      const { value } = writtenObject(definition, next);
      if ((await engine.commit({ type: 'put', key, value, expected: entry.modRevision })).committed) return;
    }
  }
}
