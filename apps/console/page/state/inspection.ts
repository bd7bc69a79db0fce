/** A watch under inspection: every byte it sends, and what our watcher makes of it. */

import { isResourceVersion, type ResourceVersion } from '@listwatch/api';
import type { RecordedWatch, WatchRecording } from '@listwatch/api/console';
import {
  type Cluster,
  decorateCluster,
  type ServedResource,
  type Transport,
  TransportError,
  type TransportRequest,
} from '@listwatch/client';
import { type Watcher, type WatcherProgress, watcher } from '@listwatch/runtime';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { WatchAddress } from '../logic/address.ts';
import { errorText } from '../logic/error-text.ts';
import { readFrame, type WatchFrame, withFrames } from '../logic/frame-log.ts';
import { linesOf } from './json-lines.ts';
import { onFrame } from './on-frame.ts';
import { tableCluster } from './table-cluster.ts';

/** The watcher went from one phase to another. */
export interface PhaseTransition {
  readonly at: number;
  readonly phase: WatcherProgress['phase'];
  readonly why: string;
}

export interface Inspection {
  readonly frames: ReadonlySignal<readonly WatchFrame[]>;
  readonly transitions: ReadonlySignal<readonly PhaseTransition[]>;
  readonly progress: ReadonlySignal<WatcherProgress | undefined>;
  /** Lists that the watcher has sent, relists included. */
  readonly lists: ReadonlySignal<number>;
  /** Breaks the connection, as a network does. */
  cut(): void;
  recording(server: string): WatchRecording;
  close(): void;
}

interface OpenWatch {
  readonly number: number;
  readonly path: string;
  readonly accept: string;
  readonly openedAt: number;
  status: number;
  end: RecordedWatch['end'];
  lastAt: number;
}

const SAMPLE_MS = 200;
const MAX_TRANSITIONS = 500;

/** Opens the watch of an address. Throws a TypeError for options that do not fit together. */
export function inspect(cluster: Cluster, kind: ServedResource, address: WatchAddress): Inspection {
  return new ClusterInspection(cluster, kind, address);
}

class ClusterInspection implements Inspection {
  readonly frames: Signal<readonly WatchFrame[]> = signal([]);
  readonly transitions: Signal<readonly PhaseTransition[]> = signal([]);
  readonly progress: Signal<WatcherProgress | undefined> = signal(undefined);
  readonly lists: Signal<number> = signal(0);
  readonly #stop = new AbortController();
  readonly #watches: OpenWatch[] = [];
  readonly #watcher: Watcher;
  readonly #sampler: ReturnType<typeof setInterval>;
  #pending: WatchFrame[] = [];
  #cancelFrame: (() => void) | undefined;
  #number = 0;
  #lastEnd = '';
  #cut: (() => void) | undefined;

  constructor(cluster: Cluster, kind: ServedResource, address: WatchAddress) {
    const { namespace, labels, fields, resourceVersion, form, bookmarks, initialEvents } = address;
    const tapped = decorateCluster(cluster, (next) => this.#tap(next));
    const shown = form === 'table' ? tableCluster(tapped, kind, { onColumns: () => {} }) : tapped;
    this.#watcher = watcher(shown, kind, {
      namespace: namespace === '' ? undefined : namespace,
      labelSelector: labels === '' ? undefined : labels,
      fieldSelector: fields === '' ? undefined : fields,
      resourceVersion: startVersion(resourceVersion),
      projection: form === 'metadata' ? 'metadata' : 'full',
      bookmarks,
      initialStrategy: initialEvents ? 'streamingList' : 'listWatch',
      backoff: { initialMs: 500, maxMs: 4000 },
      signal: this.#stop.signal,
    });
    this.#sampler = setInterval(() => this.#sample(), SAMPLE_MS);
    void this.#run();
  }

  cut(): void {
    this.#cut?.();
  }

  recording(server: string): WatchRecording {
    const frames = this.frames.value;
    const watches = this.#watches.map(({ number, path, accept, openedAt, status, end }) => ({
      path,
      accept,
      status,
      end,
      frames: frames
        .filter(({ watch, bytes }) => watch === number && bytes > 0)
        .map(({ at, raw }) => [Math.round(at - openedAt), raw] as const),
    }));
    return { format: 'listwatch-recording/v1', recordedAt: new Date().toISOString(), server, watches };
  }

  close(): void {
    this.#stop.abort();
    clearInterval(this.#sampler);
    this.#cancelFrame?.();
  }

  async #run(): Promise<void> {
    try {
      for await (const event of this.#watcher) if (event.type === 'error') this.#lastEnd = event.error.message;
    } catch {
      // Closed.
    }
  }

  #tap(next: Transport): Transport {
    return {
      name: next.name,
      send: async (request) => {
        if (!/[?&]watch=(?:true|1)/u.test(request.path)) return this.#list(next, request);
        const accept = String(request.headers['accept'] ?? '');
        const openedAt = Date.now();
        const watch: OpenWatch = {
          number: this.#watches.length + 1,
          path: request.path,
          accept,
          openedAt,
          status: 0,
          end: 'open',
          lastAt: openedAt,
        };
        this.#watches.push(watch);
        this.#add(watch, 'OPEN', request.path);
        request.signal?.addEventListener('abort', () => this.#left(watch), { once: true });
        try {
          const response = await next.send(request);
          watch.status = response.status;
          return { ...response, body: this.#body(watch, response.body) };
        } catch (error) {
          this.#ended(watch, 'broken', error);
          throw error;
        }
      },
      close: () => next.close(),
      [Symbol.asyncDispose]: () => next.close(),
    };
  }

  async #list(next: Transport, request: TransportRequest): ReturnType<Transport['send']> {
    // Before it resumes a watch, the watcher asks for one object, to see whether the server has gone back in time.
    const isCheck = /[?&]limit=1(?:&|$)/u.test(request.path);
    if (!isCheck) this.lists.value += 1;
    const response = await next.send(request);
    const number = this.#watches.length;
    const line = {
      number,
      path: request.path,
      accept: '',
      openedAt: 0,
      status: 0,
      end: 'open' as const,
      lastAt: Date.now(),
    };
    this.#add(line, isCheck ? 'CHECK' : 'LIST', `${response.status} ${request.path}`);
    return response;
  }

  async *#body(watch: OpenWatch, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    const broken = new Promise<never>((_, reject) => {
      this.#cut = () => reject(new TransportError('CLOSED', 'the connection was cut by hand'));
    });
    broken.catch(() => {});
    const lines = linesOf(body)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await Promise.race([lines.next(), broken]);
        if (done === true) break;
        this.#add(watch, undefined, value);
        yield encoder.encode(`${value}\n`);
      }
      this.#ended(watch, 'clean', undefined);
    } catch (error) {
      this.#ended(watch, 'broken', error);
      throw error;
    } finally {
      void lines.return?.(undefined);
    }
  }

  /** The watcher leaves a watch after an ERROR, which is the end of it. */
  #left(watch: OpenWatch): void {
    if (watch.end === 'open' && !this.#stop.signal.aborted) watch.end = 'clean';
  }

  #ended(watch: OpenWatch, end: 'broken' | 'clean', error: unknown): void {
    watch.end = end;
    if (this.#stop.signal.aborted) return;
    const why = error === undefined ? 'the server ended it' : errorText(error);
    this.#lastEnd = why;
    this.#add(watch, 'END', why);
  }

  /** `type` is given for what is no frame. */
  #add(watch: OpenWatch, type: string | undefined, raw: string): void {
    const at = Date.now();
    const read = type === undefined ? readFrame(raw) : { type, resourceVersion: '', subject: raw };
    const bytes = type === undefined ? new TextEncoder().encode(raw).length + 1 : 0;
    this.#number += 1;
    this.#pending.push({
      number: this.#number,
      watch: watch.number,
      at,
      ...read,
      bytes,
      delay: at - watch.lastAt,
      raw,
    });
    watch.lastAt = at;
    this.#sample();
    this.#cancelFrame ??= onFrame(() => {
      this.#cancelFrame = undefined;
      this.frames.value = withFrames(this.frames.value, this.#pending);
      this.#pending = [];
    });
  }

  /** The watcher's own state; a change of phase is a transition. */
  #sample(): void {
    const progress = this.#watcher.progress;
    const before = this.progress.value;
    if (progress === before) return;
    this.progress.value = progress;
    if (before !== undefined && before.phase === progress.phase && before.watches === progress.watches) return;
    const why = reasonOf(progress, before, this.#lastEnd);
    this.transitions.value = [...this.transitions.value, { at: Date.now(), phase: progress.phase, why }].slice(
      -MAX_TRANSITIONS,
    );
  }
}

function startVersion(text: string): ResourceVersion | undefined {
  if (text === '') return undefined;
  if (!isResourceVersion(text)) throw new TypeError(`not a version: ${text}`);
  return text;
}

function watchingText(progress: WatcherProgress, before: WatcherProgress | undefined, lastEnd: string): string {
  const version = progress.resourceVersion ?? 'given';
  if (before?.phase === 'streaming') return `all objects are here; the watch goes on from version ${version}`;
  const isOpen = progress.watches > (before?.watches ?? 0);
  if (!isOpen) return `opens a watch from version ${version}`;
  if (progress.watches === 1) return `a watch from version ${version}`;
  return `resumed from version ${version}${lastEnd === '' ? '' : `, after: ${lastEnd}`}`;
}

function reasonOf(progress: WatcherProgress, before: WatcherProgress | undefined, lastEnd: string): string {
  switch (progress.phase) {
    case 'idle':
      return 'not started';
    case 'listing':
      return before === undefined || progress.watches === 0 ? 'the first list' : `relist: ${lastEnd}`;
    case 'streaming':
      return 'the objects come as a stream (watch-list)';
    case 'waiting':
      return `try again after: ${progress.lastError?.message ?? lastEnd}`;
    case 'watching':
      return watchingText(progress, before, lastEnd);
  }
}
