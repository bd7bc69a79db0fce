/** What a server's test hands to the suite, and how the suite declares its cases. */

import { afterAll, beforeAll, describe, it } from 'vitest';
import { ApiClient } from './api-client.ts';
import type { ServerTarget } from './server-target.ts';
import { ServerTest } from './server-test.ts';

/** A state that is older than what the server holds in memory, and what became of it. */
export interface PastState {
  /** A collection, such as `/api/v1/namespaces/old/secrets`. */
  readonly collection: string;
  readonly resourceVersion: string;
  /** The names that existed then. */
  readonly names: readonly string[];
  /** What happened since: `ADDED b`, `DELETED a`. */
  readonly events: readonly string[];
}

/** A server that is being tested. */
export interface ConnectedServer extends ServerTarget, Partial<AsyncDisposable> {
  /** Given with the trait `servesHistory`. */
  readonly past?: PastState | undefined;
}

/** Where a server may differ from kube-apiserver on purpose. */
export interface ServerTraits {
  /** A version that left the memory is served from the storage. kube-apiserver answers 410. Default: false. */
  readonly servesHistory?: boolean | undefined;
}

/** A server under test. */
export interface ServerSuite {
  readonly name: string;
  /** Called once, before the first case; what it gives is disposed of after the last. */
  readonly connect: () => Promise<ConnectedServer>;
  readonly traits?: ServerTraits | undefined;
  /** Cases that this server cannot pass, by title, each with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[] | undefined;
}

/** One behaviour. */
export interface ServerCase {
  readonly title: string;
  readonly run: (test: ServerTest) => Promise<void>;
  /** Why this case does not apply to a server with these traits; undefined if it does. */
  readonly unless?: ((traits: ServerTraits) => string | undefined) | undefined;
}

/** A named group of cases. */
export interface ServerSection {
  readonly title: string;
  readonly cases: readonly ServerCase[];
}

/** For cases about versions that are only in the storage. */
export function withoutHistory({ servesHistory = false }: ServerTraits): string | undefined {
  return servesHistory ? undefined : 'the server serves no version that left its memory';
}

const CASE_TIMEOUT_MS = 30_000;

/** Declares the sections as vitest tests for one server. Cases run side by side: each has a namespace of its own. */
export function declareServerSections(suite: ServerSuite, sections: readonly ServerSection[]): void {
  const skips = new Map(suite.skip?.map(({ test, reason }) => [test, reason]));
  const titles = sections.flatMap((section) => section.cases.map((one) => one.title));
  const repeated = titles.find((title, index) => titles.indexOf(title) !== index);
  if (repeated !== undefined) throw new Error(`two cases have the same title: ${repeated}`);
  // A skip that names no test hides a typo, or outlives the test it was written for.
  for (const title of skips.keys()) if (!titles.includes(title)) throw new Error(`skip names no test: ${title}`);
  describe(`server contract: ${suite.name}`, () => {
    let server: ConnectedServer | undefined;
    let client: ApiClient | undefined;
    beforeAll(async () => {
      server = await suite.connect();
      client = new ApiClient(server);
    });
    afterAll(async () => {
      client?.close();
      await server?.[Symbol.asyncDispose]?.();
    });
    const open = (): ServerTest => {
      if (server === undefined || client === undefined) throw new Error('there is no server');
      return new ServerTest(client, server.past);
    };
    for (const section of sections) {
      describe.concurrent(section.title, () => {
        for (const one of section.cases) declareCase(suite, one, skips.get(one.title), open);
      });
    }
  });
}

function declareCase(
  { traits = {} }: ServerSuite,
  { title, run, unless }: ServerCase,
  skipped: string | undefined,
  open: () => ServerTest,
): void {
  const reason = skipped ?? unless?.(traits);
  if (reason !== undefined) return it.skip(`${title} (${reason})`);
  it(
    title,
    async () => {
      const test = open();
      try {
        await run(test);
      } finally {
        await test.end();
      }
    },
    CASE_TIMEOUT_MS,
  );
}
