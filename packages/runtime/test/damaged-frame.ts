/** Frames of a watch that were damaged on their way. All of these can be noticed: no damage leaves a valid event. */

import { type Transport, type TransportRequest, type TransportResponse } from '@listwatch/client';
import type { SeededRandom } from './seeded-random.ts';

/** Makes a damaged frame of a good one. Both are texts of bytes, and a good one ends with a newline. */
export type Damage = (frame: string, random: SeededRandom) => string;

/** A place within the first text of the frame that looks like this. */
function within(frame: string, pattern: RegExp): number {
  const found = pattern.exec(frame);
  return found === null ? Math.floor(frame.length / 2) : found.index + Math.ceil(found[0].length / 2);
}

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'cut within a string': (frame) => frame.slice(0, within(frame, /"resourceVersion":"\d+"/u)),
  'cut within a string, with its newline': (frame) => `${frame.slice(0, within(frame, /"name":"[^"]*"/u))}\n`,
  'cut within a number': (frame) => frame.replace(/"data":\{.*$/su, '"data":12'),
  'cut between a key and its value': (frame) => frame.slice(0, frame.indexOf('"metadata":') + 11),
  'cut anywhere': (frame, random) => frame.slice(0, 1 + random.below(frame.length - 3)),
  'without its beginning': (frame, random) => frame.slice(1 + random.below(frame.length - 3)),
  'a colon flipped': (frame) => frame.replace(':', ';'),
  'a quote flipped': (frame) => frame.replace('"type"', '"type\u0002'),
  'its first half doubled': (frame) => frame.slice(0, frame.length / 2) + frame,
  'filled with NUL bytes': (frame) => `${frame.slice(0, 20)}${'\0'.repeat(40)}${frame.slice(60)}`,
  'a NUL byte within a string': (frame) => frame.replace('"name":"', '"name":"\0'),
  'a byte that is no UTF-8': (frame) => frame.replace('"name":"', '"name":"\xff'),
  'half a character of UTF-8': (frame) => frame.replace('"name":"', '"name":"\xc3'),
  'an event of another type': (frame) => frame.replace(/"type":"[A-Z]+"/u, '"type":"PATCHED"'),
  'an event without an object': () => '{"type":"MODIFIED"}\n',
  'an object without metadata': () => '{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1"}}\n',
  'an object without a name': () =>
    '{"type":"MODIFIED","object":{"kind":"ConfigMap","metadata":{"resourceVersion":"9"}}}\n',
  'an object of another kind': (frame) => frame.replace('"kind":"ConfigMap"', '"kind":"Secret"'),
  'something that is no JSON': () => '<html>502 Bad Gateway</html>\n',
  'a text and no object': () => '"MODIFIED"\n',
};

/** A transport that damages frames of watches while `damage` is set. */
export class DamagingTransport implements Transport {
  readonly name: string;
  readonly #next: Transport;
  /** What becomes of a frame; `undefined`: it passes. */
  damage: ((frame: string) => string | undefined) | undefined;
  /** How many frames have been damaged. */
  damaged = 0;

  constructor(next: Transport) {
    this.name = next.name;
    this.#next = next;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#next.send(request);
    if (!request.path.includes('watch=true')) return response;
    return { ...response, body: this.#frames(response.body) };
  }

  close(): Promise<void> {
    return this.#next.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #frames(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let rest = '';
    const source = body[Symbol.asyncIterator]();
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const { done, value } = await source.next();
      if (done === true) return { done: true, value: undefined };
      const lines = (rest + Buffer.from(value).toString('latin1')).split(/(?<=\n)/u);
      rest = lines.at(-1)?.endsWith('\n') === true ? '' : (lines.pop() ?? '');
      return { done: false, value: Buffer.from(lines.map((line) => this.#frame(line)).join(''), 'latin1') };
    };
    return {
      [Symbol.asyncIterator]: () => ({
        next,
        return: async () => {
          await source.return?.();
          return { done: true, value: undefined };
        },
      }),
    };
  }

  #frame(line: string): string {
    const damaged = this.damage?.(line);
    if (damaged === undefined) return line;
    this.damaged += 1;
    return damaged;
  }
}
