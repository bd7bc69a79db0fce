/** The port of a relay for probes and people: its own health, metrics and state. Clients use another one, where all paths pass. */

import { type HealthPages, HealthServer, plainAnswer } from '@listwatch/runtime/internal/health-server';
import type { Relay } from './relay-options.ts';
import { RELAY_PAGE, RELAY_SCRIPT, RELAY_STYLE } from './relay-page.ts';

/** What the port shows. */
export type ShownRelay = Pick<Relay, 'metrics' | 'ready' | 'state'>;

/** A listener without TLS. What it shows names kinds and counts, no object and no user. */
export interface RelayHealth {
  /** `http://127.0.0.1:6445`. */
  readonly url: string;
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json';
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';
const page = (kind: string, text: string) => () => ({ status: 200, type: `text/${kind}; charset=utf-8`, text });
const OK = plainAnswer(200, 'ok');

/** Rejects with Node's error when the address cannot be used. */
export async function listenForHealth(
  relay: ShownRelay,
  place: { readonly host: string; readonly port: number },
): Promise<RelayHealth> {
  const server = new HealthServer(place, pagesOf(relay));
  try {
    await server.listen();
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }
  const { url = '' } = server;
  return { url, close: () => server.close() };
}

function pagesOf(relay: ShownRelay): HealthPages {
  return {
    '/': page('html', RELAY_PAGE),
    '/relay.css': page('css', RELAY_STYLE),
    '/relay.js': page('javascript', RELAY_SCRIPT),
    '/livez': () => OK,
    '/healthz': () => OK,
    '/readyz': () => (relay.ready ? OK : plainAnswer(503, 'the kinds are being loaded\n')),
    '/metrics': async () => ({ status: 200, type: PROMETHEUS, text: await relay.metrics() }),
    '/debug/relay': () => ({ status: 200, type: JSON_TYPE, text: `${JSON.stringify(relay.state, undefined, 2)}\n` }),
  };
}
