/** What a transport hands to the suite, and how the suite declares its tests. */

import { FakeClock } from '@listwatch/api/fake-clock';
import type { Transport, TransportRequest, TransportResponse } from '@listwatch/client';
import { afterEach, beforeAll, describe, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../parts/tcp-proxy.ts';
import { TestAuthority, type TestCertificatePair } from '../parts/test-authority.ts';
import { eventually } from '../storage/eventually.ts';
import type { ScriptedExchange, ScriptedServer } from './scripted-exchange.ts';
import { createScriptedHandler } from './scripted-handler.ts';
import { startHttp1Server } from './scripted-http1-server.ts';
import { startHttp2Server } from './scripted-http2-server.ts';

/** What a transport can do. */
export interface TransportCapabilities {
  /** What it speaks, and so which server it is given. */
  readonly protocol: 'http/1.1' | 'http/2' | 'loopback' | 'websocket';
  /** A reader that does not pull stops the sender. */
  readonly backPressure: boolean;
  /** Notices by itself that a connection is dead. */
  readonly ping: boolean;
}

/** Where a transport is to connect to. */
export interface TransportTarget {
  readonly server: string;
  readonly ca: string | undefined;
  /** All its time must come from here. */
  readonly clock: FakeClock;
  /** For transports without a wire. */
  readonly handle: (request: TransportRequest) => Promise<TransportResponse>;
}

/** A transport under test. */
export interface TransportSuite {
  readonly name: string;
  readonly connect: (target: TransportTarget) => Transport;
  readonly capabilities: TransportCapabilities;
  /** Tests this transport cannot pass, by title, each with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[] | undefined;
}

/** What a test gets. */
export interface TransportTest {
  readonly transport: Transport;
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly suite: TransportSuite;
  /** The next exchange that reaches the server. */
  readonly arrival: () => Promise<ScriptedExchange>;
  /** Another transport, to the server through a network that can be broken. */
  readonly throughProxy: () => Promise<{ readonly transport: Transport; readonly proxy: TcpProxy }>;
  /** Another transport, to an address of the test's choice. */
  readonly connectTo: (server: string) => Transport;
}

export interface TransportCase {
  readonly title: string;
  readonly run: (test: TransportTest) => Promise<void>;
  /** Why this case does not apply; undefined if it does. */
  readonly unless?: ((capabilities: TransportCapabilities) => string | undefined) | undefined;
}

export interface TransportSection {
  readonly title: string;
  readonly cases: readonly TransportCase[];
}

/** Declares the sections as vitest tests for one transport. */
export function declareTransportSections(suite: TransportSuite, sections: readonly TransportSection[]): void {
  const skips = new Map(suite.skip?.map(({ test, reason }) => [test, reason]));
  const titles = new Set(sections.flatMap((section) => section.cases.map((one) => one.title)));
  for (const title of skips.keys()) if (!titles.has(title)) throw new Error(`skip names no test: ${title}`);
  describe(`transport contract: ${suite.name}`, () => {
    let authority: { readonly ca: string; readonly certificate: TestCertificatePair } | undefined;
    beforeAll(() => {
      using made = new TestAuthority();
      authority = { ca: made.ca, certificate: made.server() };
    });
    const start = async (): Promise<ScriptedServer> => {
      if (suite.capabilities.protocol === 'loopback') return createScriptedHandler();
      if (authority === undefined) throw new TypeError('the authority is made before the tests');
      return suite.capabilities.protocol === 'http/2' ? startHttp2Server(authority) : startHttp1Server(authority);
    };
    for (const { title, cases } of sections) describe(title, () => declareCases(suite, cases, skips, start));
  });
}

function declareCases(
  suite: TransportSuite,
  cases: readonly TransportCase[],
  skips: ReadonlyMap<string, string>,
  start: () => Promise<ScriptedServer>,
): void {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const prepare = async (): Promise<TransportTest> => {
    const server = await start();
    cleanups.push(() => server.close());
    const clock = new FakeClock();
    const { handle = noHandle } = server;
    const connectTo = (address: string): Transport => {
      const transport = suite.connect({ server: address, ca: server.ca, clock, handle });
      cleanups.push(() => transport.close());
      return transport;
    };
    let seen = 0;
    const arrival = async (): Promise<ScriptedExchange> => {
      const index = seen;
      seen += 1;
      return eventually('the next exchange reaches the server', () => server.exchanges[index]);
    };
    const throughProxy = async (): Promise<{ transport: Transport; proxy: TcpProxy }> => {
      const proxy = await startTcpProxy(server.port);
      cleanups.push(() => proxy.close());
      return { transport: connectTo(proxy.endpoint.replace('http:', 'https:')), proxy };
    };
    return { transport: connectTo(server.url), server, clock, suite, arrival, throughProxy, connectTo };
  };
  for (const { title, run, unless } of cases) {
    const reason = skips.get(title) ?? unless?.(suite.capabilities);
    if (reason !== undefined) it.skip(`${title} (${reason})`);
    else it(title, async () => run(await prepare()));
  }
}

function noHandle(): Promise<TransportResponse> {
  return Promise.reject(new TypeError('this server has a wire'));
}
