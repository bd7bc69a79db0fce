/** Opens a connection of messages with a subresource of a pod. */

import type { AbortOptions } from '@listwatch/api';
import type { Cluster } from '../cluster.ts';
import { transportRequest } from '../request/json-request.ts';
import { namedFailure, type RequestSubject } from '../request/named-failure.ts';
import { refusedAnswer } from '../request/send-request.ts';
import type { MessageSocket } from '../transport/message-socket.ts';
import { TransportError } from '../transport/transport-error.ts';

/** What streams need of a cluster. */
export type StreamCluster = Pick<Cluster, 'clock' | 'namespace' | 'server' | 'transport' | 'userAgent'>;

export interface OpenMessagesOptions extends AbortOptions {
  readonly path: string;
  readonly protocols: readonly string[];
  readonly subject: RequestSubject;
}

/** Kubelets send 32 KiB at a time; what is much larger is no kubelet. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Rejects with the server's `StatusError`, a `TransportError` or the signal's reason. */
export async function openMessages(cluster: StreamCluster, options: OpenMessagesOptions): Promise<MessageSocket> {
  const { path, protocols, subject, signal } = options;
  signal?.throwIfAborted();
  const plain = transportRequest({ method: 'GET', path, accept: '*/*', isWatch: true, signal }, cluster.userAgent);
  const request = { ...plain, upgrade: { protocols, maxMessageBytes: MAX_MESSAGE_BYTES } };
  try {
    const response = await cluster.transport.send(request);
    const { status, socket } = response;
    if (status >= 400) throw await refusedAnswer(response, request, subject);
    if (socket === undefined) throw notOpened(status);
    if (protocols.includes(socket.protocol)) return socket;
    socket.destroy();
    const chosen = JSON.stringify(socket.protocol);
    throw new TransportError('PROTOCOL', `the server chose the subprotocol ${chosen}, which was not offered`);
  } catch (error) {
    throw error === signal?.reason ? error : namedFailure(error, subject);
  }
}

function notOpened(status: number): TransportError {
  return new TransportError('PROTOCOL', `answered ${status} to a request for a WebSocket`);
}
