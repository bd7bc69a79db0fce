/** Puts an answer on the wire: whole, streamed, compressed, or as a watch. */
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { extended } from '@listwatch/api/values';
import type {
  ApiResponse,
  BytesResponse,
  ResponseHeaders,
  StreamResponse,
  TunnelResponse,
} from '../contract/api-response.ts';
import { isBodyless, type Reply } from '../contract/reply.ts';

/** Smaller answers are not worth the work, nor the wait. */
export const GZIP_MIN_BYTES: number = 128 * 1024;

const GZIP = { level: constants.Z_BEST_SPEED } as const;
const gzipBytes = promisify<Buffer, typeof GZIP, Buffer>(gzip);

/** What is added to an answer on its way out. */
export interface WriteAnswerOptions {
  /** Headers that an answer gets unless it has its own. */
  readonly headers: ResponseHeaders;
  /** Does the client take gzip? */
  readonly gzip: boolean;
  readonly isHead: boolean;
  /** Called when the answer has been produced and only has to be sent. */
  readonly onProduced: () => void;
  /** Called when all chunks of a streamed answer were made and handed over. Absent: nobody is told. */
  readonly onMade?: (() => void) | undefined;
  /** Asks for a turn of the event loop before each chunk; undefined: go on at once. Absent: nobody is asked. */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
}

/**
 * Writes an answer. Resolves when a watch has begun, and for everything else when the answer is out or the client has
 * gone. Rejects when the answer cannot be made; the caller tells from `reply.status` whether it has begun.
 */
export async function writeResponse(
  reply: Reply,
  response: Exclude<ApiResponse, TunnelResponse>,
  options: WriteAnswerOptions,
): Promise<void> {
  if (response.type === 'watch') {
    const headers = { ...options.headers, ...response.headers, 'content-type': response.contentType };
    return reply.watch({ status: 200, headers }, response.start);
  }
  // Listened for before anything is written: an answer that is out at once would be waited for in vain.
  const over = new Promise<void>((resolve) => reply.onClose(resolve));
  await (response.type === 'bytes' ? writeBytes(reply, response, options) : writeStream(reply, response, options));
  return over;
}

/** Does an `Accept-Encoding` header name gzip? As in Kubernetes only the bare word counts. */
export function acceptsGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((encoding) => encoding.trim() === 'gzip');
}

async function writeBytes(reply: Reply, response: BytesResponse, options: WriteAnswerOptions): Promise<void> {
  const { status, body } = response;
  const headers = extended(options.headers, response.headers);
  // Documents that are kept packed come as they are.
  const isPacked = headers['content-encoding'] !== undefined;
  if (!options.gzip || isPacked || body.length <= GZIP_MIN_BYTES || options.isHead || isBodyless(status)) {
    options.onProduced();
    reply.send({ status, headers }, body);
    return;
  }
  const packed = await gzipBytes(body, GZIP);
  options.onProduced();
  if (!reply.closed) reply.send({ status, headers: packedHeaders(headers) }, packed);
}

async function writeStream(reply: Reply, response: StreamResponse, options: WriteAnswerOptions): Promise<void> {
  const { status } = response;
  const headers = { ...options.headers, ...response.headers };
  const chunks = iteratorOf(response.chunks);
  try {
    if (options.isHead) {
      reply.open({ status, headers }).end();
      return;
    }
    // What is live is sent as it comes: a packer, and even the wait for enough to pack, would hold the last line back.
    if (response.isLive === true) return await writeLive(reply, response, chunks, options);
    // The head waits for the first chunks: they show whether gzip is worth it, and a failure can still be a Status.
    const mayPack = options.gzip;
    const first = await takeFirst(chunks, mayPack ? GZIP_MIN_BYTES : 0);
    options.onProduced();
    if (reply.closed) return;
    const packed = mayPack && !first.complete;
    if (first.complete) {
      options.onMade?.();
      reply.send({ status, headers }, Buffer.concat(first.chunks));
      return;
    }
    const wire = reply.open({ status, headers: packed ? packedHeaders(headers) : headers });
    const target = packed ? createGzip(GZIP) : wire;
    if (target !== wire) {
      target.pipe(wire);
      // A packer that waits for a reader that has gone would keep its memory for ever.
      reply.onClose(() => target.destroy());
      target.on('error', () => reply.cut());
    }
    const pump = new Pump(target, reply, false);
    for (const chunk of first.chunks) if (!(await pump.put(chunk))) return;
    for (;;) {
      const turn = options.turn?.();
      if (turn !== undefined) await turn;
      const next = await chunks.next();
      if (next.done === true) break;
      if (!(await pump.put(next.value))) return;
    }
    options.onMade?.();
    target.end();
  } finally {
    // Gives back the snapshot that the chunks are made of, also when the reader left in the middle.
    await chunks.return?.();
  }
}

/** Sends the head at once: a client waits for it before it reads the first event, which may come in an hour. */
async function writeLive(
  reply: Reply,
  { status, headers, cookies }: StreamResponse,
  chunks: Chunks,
  options: WriteAnswerOptions,
): Promise<void> {
  options.onProduced();
  if (reply.closed) return;
  const shown = cookies === undefined ? headers : { ...headers, 'set-cookie': [...cookies] };
  const wire = reply.open({ status, headers: { ...options.headers, ...shown } });
  if ('flushHeaders' in wire && typeof wire.flushHeaders === 'function') wire.flushHeaders();
  const pump = new Pump(wire, reply, true);
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    // A backend that sends without end takes the loop from its reader alone.
    const turn = options.turn?.();
    if (turn !== undefined) await turn;
    if (!(await pump.put(next.value))) return;
  }
  wire.end();
}

/** Chunks until they hold more than `bytes`, or all there are. */
async function takeFirst(
  chunks: Chunks,
  bytes: number,
): Promise<{ readonly chunks: readonly Buffer[]; readonly complete: boolean }> {
  const taken: Buffer[] = [];
  for (let size = 0; size <= bytes; ) {
    const next = await chunks.next();
    if (next.done === true) return { chunks: taken, complete: true };
    // A copy, when it is not the only one: the maker may fill its buffer again for the next.
    taken.push(bytes > 0 ? Buffer.from(next.value) : next.value);
    size += next.value.length;
  }
  return { chunks: taken, complete: false };
}

/** Writes chunks no faster than they are taken. */
class Pump {
  readonly #target: Writable;
  readonly #reply: Reply;
  readonly #isLive: boolean;
  #wake: () => void = () => {};

  constructor(target: Writable, reply: Reply, isLive: boolean) {
    this.#isLive = isLive;
    this.#target = target;
    this.#reply = reply;
    // One listener for the whole answer: one for each chunk would pile up until the end of a long list.
    reply.onClose(() => this.#wake());
  }

  /** Writes a chunk and waits until nothing needs its memory any more; false when the client has gone. */
  async put(chunk: Buffer): Promise<boolean> {
    if (this.#reply.closed) return false;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      // A user who reads a log in a pager may stop for hours.
      if (!this.#isLive) this.#reply.expectRead(chunk.length);
      this.#target.write(chunk, () => resolve());
    });
    return !this.#reply.closed;
  }
}

interface Chunks {
  next(): Promise<IteratorResult<Buffer, unknown>> | IteratorResult<Buffer, unknown>;
  return?(): unknown;
}

function iteratorOf(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Chunks {
  return Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
}

function packedHeaders(headers: ResponseHeaders): ResponseHeaders {
  // A length that the handler gave is that of the plain body.
  const { vary, 'content-length': _, ...rest } = headers;
  return {
    ...rest,
    'content-encoding': 'gzip',
    vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  };
}
