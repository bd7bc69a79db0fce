/** What a server's test hands to the runtime's suite, and how the suite declares its cases. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuntimeMeans, RuntimeServer } from './runtime-server.ts';
import { RuntimeTest } from './runtime-test.ts';

/** A way to a server, under test. */
export interface RuntimeSuite {
  readonly name: string;
  /** Called once, before the first case; what it gives is disposed of after the last. */
  readonly connect: () => Promise<RuntimeServer>;
  /** What cannot be done to this server, each with the reason. Cases that need it are skipped. */
  readonly lacks?: Readonly<Partial<Record<RuntimeMeans, string>>> | undefined;
  /** Cases that cannot pass here, by title, each with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[] | undefined;
}

/** One behaviour. */
export interface RuntimeCase {
  readonly title: string;
  readonly needs?: readonly RuntimeMeans[] | undefined;
  readonly run: (test: RuntimeTest) => Promise<void>;
}

/** A named group of cases. */
export interface RuntimeSection {
  readonly title: string;
  /** Do its cases leave other cases alone? Then they run side by side. */
  readonly calm: boolean;
  readonly cases: readonly RuntimeCase[];
}

const CASE_TIMEOUT_MS = 60_000;

/** Declares the sections as vitest tests. */
export function declareRuntimeSections(suite: RuntimeSuite, sections: readonly RuntimeSection[]): void {
  const skips = new Map(suite.skip?.map(({ test, reason }) => [test, reason]));
  const titles = new Set(sections.flatMap(({ cases }) => cases.map(({ title }) => title)));
  // A skip that names no test hides a typo, or outlives the test it was written for.
  for (const title of skips.keys()) if (!titles.has(title)) throw new Error(`skip names no test: ${title}`);
  describe(`runtime contract: ${suite.name}`, () => {
    let server: RuntimeServer | undefined;
    const warnings: string[] = [];
    const note = (warning: Error): unknown => warnings.push(warning.stack ?? warning.message);
    beforeAll(async () => {
      process.on('warning', note);
      server = await suite.connect();
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      process.off('warning', note);
      // Listeners that pile up, for one: Node tells the user of a library, who can do nothing about it.
      expect(warnings, 'what Node warned of').toEqual([]);
    });
    const run = async (one: RuntimeCase): Promise<void> => {
      if (server === undefined) throw new Error('there is no server');
      const test = new RuntimeTest(server);
      try {
        await test.open();
        await one.run(test);
      } finally {
        await test.end();
      }
    };
    for (const { title, calm, cases } of sections) {
      const declare = calm ? describe.concurrent : describe;
      declare(title, () => {
        for (const one of cases) {
          const lacking = one.needs?.map((means) => suite.lacks?.[means]).find((reason) => reason !== undefined);
          const reason = skips.get(one.title) ?? lacking;
          if (reason === undefined) it(one.title, () => run(one), CASE_TIMEOUT_MS);
          else it.skip(`${one.title} (${reason})`);
        }
      });
    }
  });
}
