/** A client of the model run: lists and watches wherever it is sent, resumes by its version, and keeps what it saw. */

import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Dice } from './leak-world.fixture.ts';
import type { Scope, Seen, SeenEvent } from './model-check.fixture.ts';

export interface ModelClientParts {
  readonly name: string;
  readonly token: string;
  readonly scope: Scope;
  readonly random: Dice;
  readonly ca: string;
  /** Where to ask next. */
  readonly address: () => string;
  /** The highest version that anybody has seen or written. */
  readonly newest: () => number;
  readonly onVersion: (version: number) => void;
}

const ANSWER_MS = 8000;

/** Follows one scope from its start until `stop`. */
export class ModelClient {
  readonly seen: Seen[] = [];
  /** Versions by key, as the changes have left it. */
  readonly objects = new Map<string, number>();
  resumes = 0;
  lists = 0;
  pages = 0;
  streams = 0;
  readonly #parts: ModelClientParts;
  #version: number | undefined;
  #isStopped = false;
  #end: () => void = () => {};
  readonly #done: Promise<void>;

  constructor(parts: ModelClientParts) {
    this.#parts = parts;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        if (this.#version !== undefined) await this.#watch(this.#version);
        else if (this.#parts.random.below(3) === 0) await this.#stream();
        else await this.#list();
      } catch {
        // A connection that broke: the next attempt goes on elsewhere.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  /** Whole, or in pages. */
  async #list(): Promise<void> {
    const { name, scope, random, newest } = this.#parts;
    const kept = this.#highestSeen();
    const how = kept === 0 ? random.oneOf(['', '', '0'] as const) : random.oneOf(['', '', String(kept)]);
    const limit = how === '' ? random.oneOf([0, 0, 2, 4]) : 0;
    const atLeast = how === '' ? newest() : Number(how);
    const objects = new Map<string, number>();
    let version: number | undefined;
    let token = '';
    do {
      const options = [how === '' ? '' : `resourceVersion=${how}`, limit === 0 ? '' : `limit=${limit}`];
      if (token !== '') options.push(`continue=${token}`);
      const answer = await this.#ask(options.filter((option) => option !== '').join('&'));
      const text = await textOf(answer);
      const status = answer.statusCode ?? 0;
      this.seen.push({ type: 'answer', client: name, scope, status });
      if (status !== 200) throw new Error(`a list was answered with ${status}`);
      const { metadata, items } = JSON.parse(text);
      const own = Number(metadata.resourceVersion);
      // No list is of two versions: the checker finds one that is not as new as that.
      if (version !== undefined && own !== version)
        this.seen.push({ type: 'list', client: name, scope, version: own, atLeast: Number.POSITIVE_INFINITY, objects });
      version = own;
      for (const { metadata: object } of items) {
        const key = `${object.namespace}/${object.name}`;
        if (isOurs(key)) objects.set(key, Number(object.resourceVersion));
      }
      token = metadata.continue ?? '';
      if (token !== '') this.pages += 1;
    } while (token !== '');
    this.#saw(version, atLeast, objects);
  }

  #saw(version: number, atLeast: number, objects: ReadonlyMap<string, number>): void {
    const { name, scope, onVersion } = this.#parts;
    this.seen.push({ type: 'list', client: name, scope, version, atLeast, objects });
    this.objects.clear();
    for (const [key, at] of objects) this.objects.set(key, at);
    this.#version = version;
    this.lists += 1;
    onVersion(version);
  }

  /** A streamed list without a version, and the watch that it becomes. */
  async #stream(): Promise<void> {
    const { random, newest } = this.#parts;
    const atLeast = newest();
    const how = random.oneOf(['', '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan']);
    await this.#follow(`watch=1&allowWatchBookmarks=true&timeoutSeconds=${2 + random.below(3)}${how}`, { atLeast });
  }

  /** The last version that this client saw, also of before a 410. */
  #highestSeen(): number {
    return this.#lastVersion;
  }

  #lastVersion = 0;

  async #watch(from: number): Promise<void> {
    this.#lastVersion = from;
    const seconds = 1 + this.#parts.random.below(3);
    await this.#follow(`watch=1&allowWatchBookmarks=true&resourceVersion=${from}&timeoutSeconds=${seconds}`, { from });
  }

  async #follow(query: string, begin: { readonly atLeast: number } | { readonly from: number }): Promise<void> {
    const { name, scope } = this.#parts;
    const answer = await this.#ask(query);
    if (answer.statusCode !== 200) {
      await textOf(answer);
      if (answer.statusCode === 410) this.#version = undefined;
      throw new Error(`a watch was answered with ${answer.statusCode}`);
    }
    const reading = new Reading(begin);
    if ('from' in begin) {
      this.seen.push({ type: 'watch', client: name, scope, from: begin.from, events: reading.events });
      this.resumes += 1;
    } else this.seen.push({ type: 'answer', client: name, scope, status: 200 });
    await new Promise<void>((resolve) => {
      this.#end = () => answer.destroy();
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          this.#take(JSON.parse(text.slice(0, end)), reading);
          text = text.slice(end + 1);
        }
      });
      answer.on('error', () => {}).on('close', resolve);
    });
    this.#end = () => {};
  }

  #take({ type, object }: WireEvent, reading: Reading): void {
    if (type === 'ERROR') {
      this.#version = undefined;
      return;
    }
    const { namespace = '', name = '', resourceVersion, annotations } = object.metadata;
    const version = Number(resourceVersion);
    const key = type === 'BOOKMARK' ? '' : `${namespace}/${name}`;
    if (reading.initial !== undefined) {
      if (isOurs(key)) {
        if (type === 'DELETED') reading.initial.delete(key);
        else reading.initial.set(key, version);
      }
      if (annotations?.['k8s.io/initial-events-end'] !== 'true') return;
      this.#saw(version, reading.atLeast, reading.initial);
      this.streams += 1;
      reading.initial = undefined;
      const { name: client, scope } = this.#parts;
      this.seen.push({ type: 'watch', client, scope, from: version, events: reading.events });
      return;
    }
    this.#version = version;
    this.#lastVersion = version;
    this.#parts.onVersion(version);
    if (type !== 'BOOKMARK' && !isOurs(key)) return;
    reading.events.push({ type, key, version });
    if (type === 'DELETED') this.objects.delete(key);
    else if (type !== 'BOOKMARK') this.objects.set(key, version);
  }

  #ask(query: string): Promise<IncomingMessage> {
    const { address, ca, token, scope } = this.#parts;
    const place = scope.namespace === '' ? '' : `/namespaces/${scope.namespace}`;
    const selector = scope.blue ? 'labelSelector=color%3Dblue&' : '';
    const url = `${address()}/api/v1${place}/configmaps?${selector}${query}`;
    const sent = request(url, { ca, agent: false, headers: { authorization: `Bearer ${token}` } });
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), ANSWER_MS);
    this.#end = () => sent.destroy(new Error('stopped'));
    sent.end();
    return new Promise((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      sent.on('close', () => clearTimeout(timer));
    });
  }
}

/** One watch. */
class Reading {
  readonly events: SeenEvent[] = [];
  readonly atLeast: number;
  /** Until the bookmark that ends them. */
  initial: Map<string, number> | undefined;

  constructor(begin: { readonly atLeast: number } | { readonly from: number }) {
    this.atLeast = 'atLeast' in begin ? begin.atLeast : 0;
    this.initial = 'atLeast' in begin ? new Map() : undefined;
  }
}

interface WireEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly namespace?: string;
      readonly name?: string;
      readonly resourceVersion: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

/** Others write ConfigMaps too: the authority of each namespace. */
export function isOurs(key: string): boolean {
  return /^[ab]\/m-\d+$/u.test(key);
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}
