/** The WebSocket handshake. */
import { subprotocols } from '../access/websocket-token.ts';

/** A handshake that can be accepted, or the bare status with which it is refused. */
export type Handshake =
  | { readonly type: 'accepted'; readonly subprotocol: string | undefined }
  | { readonly type: 'refused'; readonly status: 400 | 403 | 405; readonly text: string };

/** The headers of a handshake. */
export interface HandshakeHeaders {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
}

/** Is the client asking for a WebSocket? */
export function isWebsocketRequest({ header }: Pick<HandshakeHeaders, 'header'>): boolean {
  const connection = (header('connection') ?? '').split(',').map((option) => option.trim().toLowerCase());
  return (header('upgrade') ?? '').trim().toLowerCase() === 'websocket' && connection.includes('upgrade');
}

/**
 * Checks a handshake. An origin is required but not compared, as in Kubernetes. One subprotocol is repeated to the client,
 * whatever it is; more than one is refused.
 */
export function checkHandshake({ method, header }: HandshakeHeaders): Handshake {
  if (method !== 'GET') return refused(405, 'bad method');
  if ((header('sec-websocket-key') ?? '') === '') return refused(400, 'mismatch challenge/response');
  if (header('sec-websocket-version') !== '13') return refused(400, 'missing or bad WebSocket Version');
  const origin = header('origin') ?? '';
  if (origin === '' || !URL.canParse(origin, 'http://relative')) return refused(403, '');
  const [subprotocol, ...more] = subprotocols(header('sec-websocket-protocol')).others;
  return more.length > 0 ? refused(400, '') : { type: 'accepted', subprotocol };
}

function refused(status: 400 | 403 | 405, text: string): Handshake {
  return { type: 'refused', status, text };
}
