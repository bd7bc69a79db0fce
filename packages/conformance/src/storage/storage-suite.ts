/** What an engine's package hands to the suite, and how the suite declares its tests. */

import type { StorageCapabilities, StorageEngine } from '@listwatch/storage';
import { describe, it, type TestContext } from 'vitest';

/** An engine under test. */
export interface StorageSuite {
  readonly name: string;
  /** A new engine on an empty store; the suite closes it. Its own background compaction must not run. */
  readonly create: () => Promise<StorageEngine>;
  /** What the engine says of itself: the suite checks the claim and leaves out what the engine does not have. */
  readonly capabilities: StorageCapabilities;
  /** Tests this engine cannot pass, by title, each with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[] | undefined;
  /** How many random histories the property tests try. Default 50. */
  readonly runs?: number | undefined;
}

/** What a test gets. */
export interface StorageTest {
  /** Another engine on an empty store of its own. */
  readonly open: () => Promise<StorageEngine>;
  readonly suite: StorageSuite;
}

/** One behaviour of the contract. */
export interface StorageCase {
  readonly title: string;
  readonly run: (engine: StorageEngine, test: StorageTest) => Promise<void>;
  /** Why this case does not apply to an engine with these capabilities; undefined if it does. */
  readonly unless?: ((capabilities: StorageCapabilities) => string | undefined) | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A named group of cases. */
export interface StorageSection {
  readonly title: string;
  readonly cases: readonly StorageCase[];
  /** The cases wait for the time to pass and run side by side, where engines do not share their revisions. */
  readonly waits?: boolean | undefined;
}

/** Declares the sections as vitest tests for one engine. */
export function declareStorageSections(suite: StorageSuite, sections: readonly StorageSection[]): void {
  const skips = new Map(suite.skip?.map(({ test, reason }) => [test, reason]));
  const titles = new Set(sections.flatMap((section) => section.cases.map((one) => one.title)));
  // A skip that names no test hides a typo, or outlives the test it was written for.
  for (const title of skips.keys()) if (!titles.has(title)) throw new Error(`skip names no test: ${title}`);
  describe(`storage contract: ${suite.name}`, () => {
    for (const section of sections) describe(section.title, () => declareCases(suite, section, skips));
  });
}

function declareCases(suite: StorageSuite, section: StorageSection, skips: ReadonlyMap<string, string>): void {
  const openIn = async ({ onTestFinished }: TestContext): Promise<StorageEngine> => {
    const engine = await suite.create();
    onTestFinished(() => engine.close());
    return engine;
  };
  const declare = section.waits === true && !suite.capabilities.shared ? it.concurrent : it;
  for (const { title, run, unless, timeoutMs } of section.cases) {
    const reason = skips.get(title) ?? unless?.(suite.capabilities);
    if (reason !== undefined) it.skip(`${title} (${reason})`);
    else {
      const test = async (context: TestContext): Promise<void> => {
        const open = (): Promise<StorageEngine> => openIn(context);
        await run(await open(), { open, suite });
      };
      declare(title, test, timeoutMs ?? 30_000);
    }
  }
}
