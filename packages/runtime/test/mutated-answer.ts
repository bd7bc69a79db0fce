/** Answers of a server in which one field has another type than the API says. */

import type { Transport, TransportRequest, TransportResponse } from '@listwatch/client';

/** A value of each JSON type, and containers of what does not belong there. */
export const VALUES: readonly unknown[] = [null, true, 0.001, 'x', [null], { x: 7 }];

/** One field and what it becomes. */
export interface Mutation {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Fields below these are the business of the kind, or of nobody who reads. */
const CLOSED_FIELDS: ReadonlySet<string> = new Set(['data', 'fieldsV1']);

/** Every field of a document with every value. */
export function mutationsOf(document: unknown): readonly Mutation[] {
  return pathsOf(document, []).flatMap((path) => VALUES.map((value) => ({ path, value })));
}

function pathsOf(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null || CLOSED_FIELDS.has(path.at(-1) ?? '')) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

/** The document with the field replaced. */
export function mutated(document: unknown, { path, value }: Mutation): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof document !== 'object' || document === null) return document;
  const entries = Object.entries(document).map(([key, member]) => [
    key,
    key === name ? mutated(member, { path: rest, value }) : member,
  ]);
  return Array.isArray(document) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

/** What becomes of an answer. */
export interface Trouble {
  /** A list is answered with this status and text. */
  readonly list?: ((text: string) => { readonly status: number; readonly text: string }) | undefined;
  /** A frame of a watch becomes this. */
  readonly frame?: ((text: string) => string) | undefined;
  /** A watch begins with this frame. */
  readonly first?: (() => string) | undefined;
}

/** Changes answers while `trouble` is set. */
export class MutatingTransport implements Transport {
  readonly name = 'mutating';
  readonly #next: Transport;
  trouble: Trouble | undefined;
  /** How many answers were changed. */
  changed = 0;

  constructor(next: Transport) {
    this.#next = next;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#next.send(request);
    if (request.path.includes('watch=')) return { ...response, body: this.#frames(response.body) };
    const change = this.trouble?.list;
    if (change === undefined) return response;
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
    const answer = change(text);
    this.changed += 1;
    return { ...response, status: answer.status, body: once(answer.text) };
  }

  close(): Promise<void> {
    return this.#next.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const first = this.trouble?.first;
    if (first !== undefined) {
      this.changed += 1;
      yield Buffer.from(`${first()}\n`);
    }
    for await (const chunk of body) {
      const change = this.trouble?.frame;
      if (change === undefined) {
        yield chunk;
        continue;
      }
      // The loopback sends whole frames.
      const lines = Buffer.from(chunk)
        .toString()
        .split('\n')
        .filter((line) => line !== '');
      this.changed += lines.length;
      yield Buffer.from(lines.map((line) => `${change(line)}\n`).join(''));
    }
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}
