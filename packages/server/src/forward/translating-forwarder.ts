/**
 * Lets clients speak WebSocket protocols that kubelets do not know, as kube-apiserver does: version 5 of the channels, and SPDY in a
 * WebSocket for ports. The kubelet is then asked in SPDY, which all of them know.
 */

import { subprotocols } from '../access/websocket-token.ts';
import type { TunnelResponse } from '../contract/api-response.ts';
import type { ForwardedAnswer, ForwardedRequest, Forwarder, KubeletStreams } from '../contract/forwarding.ts';
import { joinCommand } from './command-translation.ts';
import { joinPorts } from './port-tunnel.ts';

const VERSION_5 = 'v5.channel.k8s.io';
const VERSION_4 = 'v4.channel.k8s.io';
const PORTS = 'portforward.k8s.io';
const PORTS_IN_MESSAGES = `SPDY/3.1+${PORTS}`;

const PROTOCOLS_HEADER = 'sec-websocket-protocol';
/** How a kubelet refuses a subprotocol that it does not know. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403]);

export class TranslatingForwarder implements Forwarder {
  readonly #forwarder: Forwarder;

  constructor(forwarder: Forwarder) {
    this.#forwarder = forwarder;
  }

  async send(request: ForwardedRequest): Promise<ForwardedAnswer> {
    const { streams } = request;
    const offered = subprotocols(headerOf(request.headers, PROTOCOLS_HEADER)).others;
    const wanted = streams?.type === 'ports' ? PORTS_IN_MESSAGES : VERSION_5;
    const isWebsocket = headerOf(request.headers, 'upgrade')?.toLowerCase() === 'websocket';
    if (streams === undefined || !isWebsocket || !offered.includes(wanted)) return this.#forwarder.send(request);
    if (streams.type === 'ports') return this.#inSpdy(request, streams);
    // Only this version: a kubelet that chose 4 could not be told the end of the input.
    const direct = await this.#forwarder.send({ ...request, headers: withProtocol(request.headers, VERSION_5) });
    if (!REFUSALS.has(direct.status)) return direct;
    await discard(direct);
    return this.#inSpdy(request, streams);
  }

  async #inSpdy(request: ForwardedRequest, streams: KubeletStreams): Promise<ForwardedAnswer> {
    const protocol = streams.type === 'ports' ? PORTS : VERSION_4;
    const asked = { ...request, method: 'POST', headers: inSpdy(request.headers, protocol) };
    const answer = await this.#forwarder.send(asked);
    return answer.response.type === 'tunnel' ? { ...answer, response: translated(answer.response, streams) } : answer;
  }
}

function translated(tunnel: TunnelResponse, streams: KubeletStreams): TunnelResponse {
  const { socket, first } = tunnel;
  const translation =
    streams.type === 'ports'
      ? { protocol: PORTS_IN_MESSAGES, join: joinPorts }
      : {
          protocol: VERSION_5,
          join: (...[client, ...rest]: Parameters<typeof joinPorts>) => joinCommand(client, ...rest, streams.streams),
        };
  return { ...tunnel, translation: { ...translation, join: (client) => translation.join(client, socket, first) } };
}

/** The headers of a request for SPDY in the place of a WebSocket. */
function inSpdy(headers: readonly string[], protocol: string): readonly string[] {
  const kept = headers.flatMap((name, index) => {
    const lower = name.toLowerCase();
    const isKept = index % 2 === 0 && !lower.startsWith('sec-websocket-') && lower !== 'upgrade';
    return isKept ? [name, headers[index + 1] ?? ''] : [];
  });
  return [...kept, 'upgrade', 'SPDY/3.1', 'x-stream-protocol-version', protocol];
}

function withProtocol(headers: readonly string[], protocol: string): readonly string[] {
  return headers.map((value, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === PROTOCOLS_HEADER ? protocol : value,
  );
}

/** Names and values in turn. */
function headerOf(headers: readonly string[], wanted: string): string | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
  return at === -1 ? undefined : headers[at + 1];
}

/** Gives the connection back: an answer whose reading has begun ends its own. */
async function discard({ response }: ForwardedAnswer): Promise<void> {
  if (response.type !== 'stream') return;
  for await (const _ of response.chunks) return;
}
