/** Connects a socket for HTTP/2. */

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';

/** Where to, and how. */
export interface EtcdSocketOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** Authorities and certificate. Default: those that Node trusts, and none. */
  readonly secureContext?: SecureContext | undefined;
  /** The name to expect in the server's certificate. Default: the host. */
  readonly serverName?: string | undefined;
}

/** Begins to connect; `onReady` when HTTP/2 can be spoken. A failure is an `error` of the socket. */
export function connectSocket({ url, secureContext, serverName }: EtcdSocketOptions, onReady: () => void): Socket {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/gu, '');
  if (protocol === 'http:') {
    const socket = connectTcp({ host, port: Number(port || 80), noDelay: true });
    return socket.once('connect', onReady);
  }
  const name = serverName ?? (isIP(host) === 0 ? host : undefined);
  const socket = connectTls({
    ...(secureContext === undefined ? {} : { secureContext }),
    host,
    port: Number(port || 443),
    ALPNProtocols: ['h2'],
    ...(name === undefined ? {} : { servername: name }),
  });
  socket.setNoDelay(true);
  return socket.once('secureConnect', () => {
    if (socket.alpnProtocol === 'h2') onReady();
    else socket.destroy(new Error('the server does not speak HTTP/2'));
  });
}
