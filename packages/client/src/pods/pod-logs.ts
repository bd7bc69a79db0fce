/** The logs of a container as a stream. */

import { type AbortOptions, resource, resourcePath } from '@listwatch/api';
import type { Cluster, ObjectTarget } from '../cluster.ts';
import { interruptible } from '../interruptible.ts';
import { type LinkedSignal, linkSignal } from '../link-signal.ts';
import { transportRequest } from '../request/json-request.ts';
import { withQuery } from '../request/list-path.ts';
import { namedFailure, type RequestSubject } from '../request/named-failure.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { TARGET_NAMES } from '../request/request-options.ts';
import { exchange } from '../request/send-request.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { LineSplitter } from './line-splitter.ts';
import { logQuery } from './log-query.ts';

/** Options of `podLogs`. */
export interface PodLogOptions extends AbortOptions {
  /** Default: the only one. */
  readonly container?: string | undefined;
  /** Go on with what is written from now on, until the container ends. Default: false. */
  readonly follow?: boolean | undefined;
  /** The logs of the container's run before this one. Default: false. */
  readonly previous?: boolean | undefined;
  /** Only the last seconds. */
  readonly sinceSeconds?: number | undefined;
  /** Only what was written since; a text is a time of RFC 3339. */
  readonly sinceTime?: Date | string | undefined;
  /** Only the last lines. */
  readonly tailLines?: number | undefined;
  /** End after so many bytes. */
  readonly limitBytes?: number | undefined;
  /** Begin each line with its time. Default: false. */
  readonly timestamps?: boolean | undefined;
}

/** Options of `lines`. */
export interface LogLineOptions {
  /** A longer line comes in several pieces. Default: 1 048 576. */
  readonly maxLineBytes?: number | undefined;
}

/**
 * One stream of logs, for one reader; `break` closes it. It ends when the server ends it. It throws the server's `StatusError`
 * when it is refused, a `TransportError` when it breaks, or the signal's reason. Nothing is requested before the first read,
 * and the server is held back while the reader is busy.
 */
export interface LogStream extends AsyncIterable<Uint8Array>, AsyncDisposable {
  /** The logs line by line, without the ends of the lines. Bytes that are not UTF-8 become U+FFFD. */
  lines(options?: LogLineOptions): AsyncIterable<string>;
}

/** What `podLogs` needs of a cluster. */
export type LogCluster = Pick<Cluster, 'namespace' | 'server' | 'transport' | 'userAgent'>;

const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const podLog = resource({ version: 'v1', plural: 'pods/log', kind: 'Pod', namespaced: true });

const LINE_NAMES: OptionNames<LogLineOptions> = { maxLineBytes: true };
const MAX_LINE_BYTES = 1024 * 1024;
/** As long as a character of UTF-8 can be. */
const MIN_LINE_BYTES = 4;

/** Abort reason when the reader leaves; no reader sees it. */
const LEFT = Symbol('the reader has left');

/**
 * The logs of a container.
 *
 * @example
 * for await (const line of podLogs(cluster, { name: 'web-1' }, { follow: true, tailLines: 10 }).lines()) console.log(line);
 */
export function podLogs(cluster: LogCluster, target: ObjectTarget, options: PodLogOptions = {}): LogStream {
  checkOptionNames('podLogs', target, TARGET_NAMES);
  const { name, namespace = cluster.namespace } = target;
  const path = withQuery(resourcePath(pods, { namespace, name, subresource: 'log' }), logQuery(options));
  const { server, transport, userAgent } = cluster;
  const subject: RequestSubject = { verb: 'get', resource: podLog, server, namespace, name };
  return new PodLogStream(transport, logRequest(path, userAgent, options), subject, options.signal);
}

function logRequest(path: string, userAgent: string | undefined, { follow }: PodLogOptions): TransportRequest {
  // As kubectl: the logs are plain text, and a refusal is JSON.
  const accept = 'application/json, */*';
  const request = transportRequest({ method: 'GET', path, accept, isWatch: follow }, userAgent);
  // Packed lines would wait for more until a pack is full.
  const headers = { ...request.headers, 'accept-encoding': 'identity' };
  // A server sends no headers before a container that is followed writes its first line.
  return { ...request, headers, ...(follow === true ? { headersTimeoutMs: 0 } : {}) };
}

class PodLogStream implements LogStream {
  readonly #transport: Transport;
  readonly #request: TransportRequest;
  readonly #subject: RequestSubject;
  readonly #signal: AbortSignal | undefined;
  #link: LinkedSignal | undefined;
  #isTaken = false;
  #isClosed = false;

  constructor(
    transport: Transport,
    request: TransportRequest,
    subject: RequestSubject,
    signal: AbortSignal | undefined,
  ) {
    this.#transport = transport;
    this.#request = request;
    this.#subject = subject;
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    this.#take();
    return this.#closing(this.#chunks());
  }

  lines(options: LogLineOptions = {}): AsyncIterable<string> {
    checkOptionNames('lines', options, LINE_NAMES);
    const { maxLineBytes = MAX_LINE_BYTES } = options;
    if (!Number.isInteger(maxLineBytes) || maxLineBytes < MIN_LINE_BYTES) {
      throw new RangeError(`maxLineBytes must be a whole number of at least ${MIN_LINE_BYTES}, not ${maxLineBytes}`);
    }
    this.#take();
    const lines = this.#closing(this.#lines(new LineSplitter(maxLineBytes)));
    return { [Symbol.asyncIterator]: () => lines };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
  }

  #take(): void {
    if (this.#isTaken) throw new TypeError('a stream of logs has one reader: call podLogs again');
    this.#isTaken = true;
  }

  #close(): void {
    this.#isClosed = true;
    this.#link?.abort(LEFT);
  }

  /** A generator that waits for bytes does not hear of `return` until they come: that may be never. */
  #closing<V>(generator: AsyncGenerator<V, undefined>): AsyncIterator<V, undefined> {
    return {
      next: () => generator.next(),
      return: async () => {
        this.#close();
        return generator.return(undefined);
      },
    };
  }

  async *#lines(splitter: LineSplitter): AsyncGenerator<string, undefined> {
    try {
      for await (const chunk of this.#chunks()) yield* splitter.push(chunk);
    } catch (error) {
      // The last words of a container whose node is lost are worth more than a whole line.
      const cut = this.#signal?.aborted === true ? undefined : splitter.end();
      if (cut !== undefined) yield cut;
      throw error;
    }
    const last = this.#isClosed ? undefined : splitter.end();
    if (last !== undefined) yield last;
    return undefined;
  }

  async *#chunks(): AsyncGenerator<Uint8Array, undefined> {
    this.#signal?.throwIfAborted();
    if (this.#isClosed) return undefined;
    const link = linkSignal(this.#signal);
    this.#link = link;
    const wait = interruptible(link.signal);
    let body: AsyncIterator<Uint8Array> | undefined;
    try {
      const request = { ...this.#request, signal: link.signal };
      const response = await wait(exchange(this.#transport, request, this.#subject, 'text/plain'));
      body = response.body[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await wait(body.next());
        if (done === true) {
          body = undefined;
          return undefined;
        }
        // A copy: the transport uses its memory again, and readers may keep what they get.
        yield new Uint8Array(value);
      }
    } catch (error) {
      if (error === LEFT) return undefined;
      throw error === this.#signal?.reason ? error : namedFailure(error, this.#subject);
    } finally {
      link.unlink();
      if (!link.signal.aborted) await body?.return?.();
    }
  }
}
