/** The logs of containers as kube-apiserver serves them, with streams that a test can break. */

/** An answer of the host. */
export interface HostAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

interface StampedLine {
  readonly time: string;
  readonly text: string;
}

/** One stream that is followed. */
interface OpenStream {
  wake(): void;
  isCut: boolean;
  isEnded: boolean;
}

const LOG_PATH = /^\/api\/v1\/namespaces\/[^/]+\/pods\/([^/]+)\/log\?(.*)$/u;
const encoder = new TextEncoder();

export class FakeKubelet {
  /** By Pod and container: `web-1/web`. Of another Pod nothing is known. */
  readonly logs = new Map<string, StampedLine[]>();
  /** Containers that have not started, and what is said of them. */
  readonly waiting = new Map<string, string>();
  readonly streams = new Set<OpenStream>();
  /** The beginning of a line that breaks off, sent before the next cut. */
  half = '';
  #time = Date.parse('2026-11-16T08:00:00Z');

  /** Three lines have the same time, and ten are written each second. */
  write(container: string, ...texts: readonly string[]): void {
    const log = this.logs.get(container) ?? [];
    this.logs.set(container, log);
    for (const text of texts) {
      if (log.length % 3 === 0) this.#time += 300;
      log.push({ time: new Date(this.#time).toISOString().replace('Z', '000001Z'), text });
    }
    this.#wakeAll();
  }

  /** Breaks all streams. */
  cut(): void {
    for (const stream of this.streams) stream.isCut = true;
    this.#wakeAll();
  }

  /** Ends all streams, as when the container ends. */
  end(): void {
    for (const stream of this.streams) stream.isEnded = true;
    this.#wakeAll();
  }

  answer(target: string, signal: AbortSignal): HostAnswer | undefined {
    const [, pod = '', search = ''] = LOG_PATH.exec(target) ?? [];
    const query = new URLSearchParams(search);
    const container = `${pod}/${query.get('container') ?? ''}`;
    const why = this.waiting.get(container);
    if (why !== undefined) return refusal(why);
    const log = this.logs.get(query.has('previous') ? `${container}/previous` : container);
    if (log === undefined) {
      if (![...this.logs.keys()].some((key) => key.startsWith(`${pod}/`))) return undefined;
      return refusal(`previous terminated container in pod "${pod}" not found`);
    }
    // As kube-apiserver: whole seconds.
    const since = Math.floor(Date.parse(query.get('sinceTime') ?? '1970-01-01T00:00:00Z') / 1000) * 1000;
    const first = Math.max(0, log.length - Number(query.get('tailLines') ?? log.length));
    const from = log.findIndex(({ time }, index) => index >= first && Date.parse(time) >= since);
    const start = from === -1 ? log.length : from;
    const body = query.has('follow') ? this.#follow(log, start, signal) : bytesOf(log.slice(start));
    return { status: 200, contentType: 'text/plain', body };
  }

  async *#follow(log: readonly StampedLine[], start: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const stream: OpenStream = { wake: () => {}, isCut: false, isEnded: false };
    this.streams.add(stream);
    signal.addEventListener('abort', () => stream.wake());
    try {
      for (let next = start; !signal.aborted; ) {
        yield* bytesOf(log.slice(next));
        next = log.length;
        if (stream.isCut) {
          if (this.half !== '') yield encoder.encode(this.half);
          throw new Error('cut');
        }
        if (stream.isEnded || signal.aborted) return;
        await new Promise<void>((resolve) => {
          stream.wake = resolve;
        });
      }
    } finally {
      this.streams.delete(stream);
    }
  }

  #wakeAll(): void {
    for (const stream of this.streams) stream.wake();
  }
}

/** In pieces that end anywhere, within characters too. */
async function* bytesOf(lines: readonly StampedLine[]): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(lines.map(({ time, text }) => `${time} ${text}\n`).join(''));
  for (let from = 0; from < bytes.length; from += 10_007) yield bytes.subarray(from, from + 10_007);
}

function refusal(message: string): HostAnswer {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'BadRequest', code: 400, message };
  const bytes = encoder.encode(JSON.stringify(status));
  const body = async function* whole(): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return { status: 400, contentType: 'application/json', body: body() };
}
