/** The base of engines that change one thing about another engine. */

import type { AbortOptions } from '@listwatch/api';
import type {
  Change,
  CommitResult,
  GetResult,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Revision,
  StorageCapabilities,
  StorageEngine,
  StorageReport,
  StorageWatch,
  WatchOptions,
} from './storage-engine.ts';

/** Passes everything on unchanged. */
export class ForwardingEngine implements StorageEngine {
  readonly capabilities: StorageCapabilities;
  protected readonly engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.engine = engine;
    this.capabilities = engine.capabilities;
  }

  commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    return this.engine.commit(change, options);
  }

  revision(options?: AbortOptions): Promise<Revision> {
    return this.engine.revision(options);
  }

  get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.engine.get(key, options);
  }

  range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    return this.engine.range(prefix, options);
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    return this.engine.watch(prefix, options);
  }

  compact(revision: Revision, options?: AbortOptions): Promise<void> {
    return this.engine.compact(revision, options);
  }

  report(points: number): StorageReport | undefined {
    return this.engine.report?.(points);
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
