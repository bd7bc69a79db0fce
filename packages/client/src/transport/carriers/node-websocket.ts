/** WebSockets on Node, by undici: Node 20 has none of its own. */

import { type Clock, systemClock } from '@listwatch/api';
import type { Agent } from 'undici';
import { dial, type SocketOptions } from '../dial/dial.ts';
import type { OpenWebSocket } from './websocket-transport.ts';

export interface NodeWebSocketOptions extends SocketOptions {
  readonly clock?: Clock | undefined;
}

/** For `createWebSocketTransport({ open })`: with the certificates and the proxy of `options`. */
export function nodeWebSocket(options: NodeWebSocketOptions): OpenWebSocket {
  const { origin } = new URL(options.server);
  const dialing = { ...options, clock: options.clock ?? systemClock, alpn: ['http/1.1'] };
  let agent: Agent | undefined;
  return async (url, protocols) => {
    const undici = await import('undici');
    agent ??= new undici.Agent({
      connect: (_, report) => {
        dial(dialing).then(
          (socket) => report(null, socket),
          (error: unknown) => report(error instanceof Error ? error : new Error(String(error)), null),
        );
      },
    });
    // API servers refuse a handshake without an origin, which is a browser's to send.
    return new undici.WebSocket(url, { protocols: [...protocols], dispatcher: agent, headers: { origin } });
  };
}
