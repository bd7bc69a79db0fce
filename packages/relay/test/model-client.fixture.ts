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
        if (this.#version === undefined) await this.#list();
        else await this.#watch(this.#version);
      } catch {
        // A connection that broke: the next attempt goes on elsewhere.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  async #list(): Promise<void> {
    const { name, scope, random, newest, onVersion } = this.#parts;
    const kept = this.#highestSeen();
    const how = kept === 0 ? random.oneOf(['', '0'] as const) : random.oneOf(['', String(kept)]);
    const atLeast = how === '' ? newest() : Number(how);
    const answer = await this.#ask(how === '' ? '' : `resourceVersion=${how}`);
    const text = await textOf(answer);
    const status = answer.statusCode ?? 0;
    this.seen.push({ type: 'answer', client: name, scope, status });
    if (status !== 200) throw new Error(`a list was answered with ${status}`);
    const { metadata, items } = JSON.parse(text);
    const objects = new Map<string, number>();
    for (const { metadata: object } of items) {
      const key = `${object.namespace}/${object.name}`;
      if (isOurs(key)) objects.set(key, Number(object.resourceVersion));
    }
    const version = Number(metadata.resourceVersion);
    this.seen.push({ type: 'list', client: name, scope, version, atLeast, objects });
    this.objects.clear();
    for (const [key, at] of objects) this.objects.set(key, at);
    this.#version = version;
    this.lists += 1;
    onVersion(version);
  }

  /** The last version that this client saw, also of before a 410. */
  #highestSeen(): number {
    return this.#lastVersion;
  }

  #lastVersion = 0;

  async #watch(from: number): Promise<void> {
    const { name, scope, random } = this.#parts;
    const seconds = 1 + random.below(3);
    const events: SeenEvent[] = [];
    this.#lastVersion = from;
    const answer = await this.#ask(
      `watch=1&allowWatchBookmarks=true&resourceVersion=${from}&timeoutSeconds=${seconds}`,
    );
    if (answer.statusCode !== 200) {
      await textOf(answer);
      if (answer.statusCode === 410) this.#version = undefined;
      throw new Error(`a watch was answered with ${answer.statusCode}`);
    }
    this.seen.push({ type: 'watch', client: name, scope, from, events });
    this.resumes += 1;
    await new Promise<void>((resolve) => {
      this.#end = () => answer.destroy();
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          this.#take(JSON.parse(text.slice(0, end)), events);
          text = text.slice(end + 1);
        }
      });
      answer.on('error', () => {}).on('close', resolve);
    });
    this.#end = () => {};
  }

  #take({ type, object }: WireEvent, events: SeenEvent[]): void {
    if (type === 'ERROR') {
      this.#version = undefined;
      return;
    }
    const { namespace = '', name = '', resourceVersion } = object.metadata;
    const version = Number(resourceVersion);
    const key = type === 'BOOKMARK' ? '' : `${namespace}/${name}`;
    this.#version = version;
    this.#lastVersion = version;
    this.#parts.onVersion(version);
    if (type !== 'BOOKMARK' && !isOurs(key)) return;
    events.push({ type, key, version });
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

interface WireEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly namespace?: string; readonly name?: string; readonly resourceVersion: string };
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
