/** Deletes objects whose owners are gone, and carries out foreground and orphan deletion. Start here. */

import { checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import type { BuiltInController, ControllerSurroundings } from '../built-in-controller.ts';
import { type CollectorConfig, CollectorRun } from './collector-run.ts';
import { GarbageCounts } from './garbage-counts.ts';
import { type GarbageCollectorMetrics, garbageMetrics } from './garbage-metrics.ts';
import type { OwnedKindsSource } from './owned-kinds-source.ts';

/** Options of {@link garbageCollector}. */
export interface GarbageCollectorOptions {
  /**
   * The kinds to watch: give `server.ownedKinds` for a server in the same process. Default: every resource that
   * discovery shows with the verbs delete, list and watch, read again every 30 s as kube-controller-manager does.
   */
  readonly ownedKinds?: OwnedKindsSource | undefined;
  /** Objects that are worked on at once, in each of the two queues. Default: 20 (kube-controller-manager). */
  readonly concurrency?: number | undefined;
}

/** The collector, with its numbers. */
export interface GarbageCollector extends BuiltInController {
  readonly metrics: GarbageCollectorMetrics;
}

/**
 * Makes the controller `garbage-collector-controller`. One `run` at a time.
 *
 * @example
 * await garbageCollector({ ownedKinds: server.ownedKinds }).run({ cluster, informers, logger, signal });
 */
export function garbageCollector(options: GarbageCollectorOptions = {}): GarbageCollector {
  return new GraphCollector(resolveOptions(options));
}

/** kube-controller-manager's --concurrent-gc-syncs. */
const CONCURRENCY = 20;

const OPTION_NAMES: OptionNames<GarbageCollectorOptions> = { ownedKinds: true, concurrency: true };

function resolveOptions(options: GarbageCollectorOptions): CollectorConfig {
  checkOptionNames('garbageCollector', options, OPTION_NAMES);
  const { ownedKinds, concurrency = CONCURRENCY } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number from 1, not ${concurrency}`);
  }
  return { ownedKinds, concurrency };
}

class GraphCollector implements GarbageCollector {
  readonly name = 'garbage-collector-controller';
  readonly metrics: GarbageCollectorMetrics;
  readonly #config: CollectorConfig;
  readonly #counts = new GarbageCounts();
  #run: CollectorRun | undefined;

  constructor(config: CollectorConfig) {
    this.#config = config;
    this.metrics = garbageMetrics(this.#counts, () => this.#run);
  }

  async run(surroundings: ControllerSurroundings): Promise<void> {
    if (this.#run !== undefined) throw new TypeError(`${this.name} is running already`);
    const run = new CollectorRun(surroundings, this.#config, this.#counts);
    this.#run = run;
    try {
      await run.run();
    } finally {
      this.#run = undefined;
    }
  }
}
