/** The log of a container, followed: read on through broken streams and restarts, without a line twice. */

import type { Cluster, PodLogOptions } from '@listwatch/client';
import { podLogs } from '@listwatch/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ContainerRun, runKey } from '../logic/log/log-containers.ts';
import {
  type LogContent,
  MAX_LOG_LINES,
  NO_LOG,
  type PodLogLine,
  readLogLine,
  withEarlierLines,
  withLogLines,
  withoutPartialLine,
} from '../logic/log/log-content.ts';
import { afterLog, type LogOutcome, type LogPhase } from '../logic/log/log-phase.ts';
import { LogSplitter } from '../logic/log/log-splitter.ts';
import { SeenLines } from '../logic/log/seen-lines.ts';
import { onFrame } from './on-frame.ts';
import { isPageHidden, shown } from './page-visibility.ts';

export interface LogSource {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous: boolean;
  /** How many lines before now are read first. */
  readonly tail: number;
  readonly isOwnServer: boolean;
}

export interface PodLog {
  /** Undefined: no answer yet. */
  readonly content: ReadonlySignal<LogContent | undefined>;
  readonly phase: ReadonlySignal<LogPhase>;
  /** Reads as many lines before now, and puts those that are missing before the others. False: there are none. */
  readEarlier(tail: number): Promise<boolean>;
  close(): void;
}

const SILENT_MS = 3000;

/** Follows a log until `close`. `run`: how the container is doing, by the Pod. */
export function followPodLog(cluster: Cluster, source: LogSource, run: ReadonlySignal<ContainerRun>): PodLog {
  const log = new FollowedLog(cluster, source, run);
  void log.follow();
  return log;
}

class FollowedLog implements PodLog {
  readonly content: Signal<LogContent | undefined> = signal(undefined);
  readonly phase: Signal<LogPhase> = signal({ type: 'loading' });
  readonly #cluster: Cluster;
  readonly #source: LogSource;
  readonly #run: ReadonlySignal<ContainerRun>;
  readonly #stop = new AbortController();
  #kept = NO_LOG;
  #cancelFrame: (() => void) | undefined;
  /** Streams that ended without a new line, one after the other. */
  #failures = 0;
  /** The run whose lines were read last. */
  #readRun: string | undefined;
  /** Has this stream brought a new line? */
  #isBegun = false;

  constructor(cluster: Cluster, source: LogSource, run: ReadonlySignal<ContainerRun>) {
    this.#cluster = cluster;
    this.#source = source;
    this.#run = run;
  }

  close(): void {
    this.#stop.abort();
    this.#cancelFrame?.();
  }

  async readEarlier(tail: number): Promise<boolean> {
    const { namespace, name, container, previous } = this.#source;
    const options = { container, previous, timestamps: true, tailLines: tail, signal: this.#stop.signal };
    const splitter = new LogSplitter();
    let read = NO_LOG;
    for await (const chunk of podLogs(this.#cluster, { namespace, name }, options)) {
      read = withLogLines(read, splitter.push(chunk).map(readLogLine));
    }
    const before = this.#kept;
    this.#kept = withEarlierLines(before, read.lines);
    this.#publish();
    return this.#kept !== before;
  }

  async follow(): Promise<void> {
    const stop = this.#stop.signal;
    while (!stop.aborted) {
      // Browsers have six connections for all pages of an origin; those that nobody looks at give theirs back.
      if (isPageHidden.peek()) this.phase.value = { type: 'asleep' };
      await shown(stop);
      if (stop.aborted) return;
      const key = runKey(this.#run.peek());
      const outcome = await this.#readStream();
      if (stop.aborted) return;
      this.#publish();
      if (isPageHidden.peek()) continue;
      const step = afterLog(outcome, {
        run: this.#run.peek(),
        isPrevious: this.#source.previous,
        isOwnServer: this.#source.isOwnServer,
        failures: this.#failures,
      });
      this.#failures += 1;
      this.phase.value = step.phase;
      await changed(this.#run, key, step.againAfterMs, stop);
    }
  }

  /** Reads one stream to its end. */
  async #readStream(): Promise<LogOutcome> {
    const { namespace, name } = this.#source;
    const seen = new SeenLines(this.#kept.lines);
    const splitter = new LogSplitter();
    this.#isBegun = false;
    // A server sends no headers before the first line: silence is a stream that is open.
    const silence = setTimeout(() => this.#setLive(), SILENT_MS);
    const leave = new AbortController();
    const stop = AbortSignal.any([this.#stop.signal, leave.signal]);
    const stopWatching = isPageHidden.subscribe((isHidden) => {
      if (isHidden) leave.abort();
    });
    try {
      const stream = podLogs(this.#cluster, { namespace, name }, { ...this.#query(seen), signal: stop });
      for await (const chunk of stream) {
        this.#setLive();
        this.#add(splitter.push(chunk), seen);
      }
      const last = splitter.end();
      if (last !== '') this.#add([last], seen);
      return { type: 'ended' };
    } catch (error) {
      const half = splitter.end();
      if (half !== '' && !stop.aborted) {
        this.#kept = withLogLines(withoutPartialLine(this.#kept), [{ ...readLogLine(half), type: 'partial' }]);
      }
      return { type: 'failed', error };
    } finally {
      clearTimeout(silence);
      stopWatching();
    }
  }

  #setLive(): void {
    if (this.phase.peek().type !== 'live') this.phase.value = { type: 'live' };
    if (this.content.peek() === undefined) this.#cancelFrame ??= onFrame(() => this.#publish());
  }

  #query({ since }: SeenLines): PodLogOptions {
    const { container, previous, tail } = this.#source;
    const from = since === undefined ? { tailLines: tail } : { sinceTime: since, tailLines: MAX_LOG_LINES };
    return { container, previous, follow: !previous, timestamps: true, ...from };
  }

  #add(raw: readonly string[], seen: SeenLines): void {
    if (raw.length === 0) return;
    const lines = raw.map(readLogLine).filter((line) => !seen.has(line));
    if (lines.length === 0) return;
    const notice = this.#noticeBefore(seen);
    this.#failures = 0;
    this.#kept = withLogLines(withoutPartialLine(this.#kept), notice === undefined ? lines : [notice, ...lines]);
    this.#cancelFrame ??= onFrame(() => this.#publish());
  }

  /** What has to be said before new lines of a stream. */
  #noticeBefore(seen: SeenLines): Omit<PodLogLine, 'number'> | undefined {
    if (this.#isBegun) return undefined;
    this.#isBegun = true;
    const { id, restarts } = this.#run.peek();
    const before = this.#readRun;
    const now = `${id} ${restarts}`;
    this.#readRun = now;
    if (this.#kept.lines.length === 0) return undefined;
    if (before !== undefined && before !== now) return noticeOf('The container was started again.');
    return seen.isJoined ? undefined : noticeOf('The stream broke here, and lines may be missing.');
  }

  #publish(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    this.content.value = this.#kept;
  }
}

function noticeOf(text: string): Omit<PodLogLine, 'number'> {
  return { time: '', text, type: 'notice' };
}

/** Waits until the container does otherwise than it did, or until the time is over. */
function changed(
  run: ReadonlySignal<ContainerRun>,
  key: string,
  ms: number | undefined,
  stop: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(done, ms);
    stop.addEventListener('abort', done, { once: true });
    const unsubscribe = run.subscribe((now) => {
      // The first call is within `subscribe`.
      if (runKey(now) !== key) queueMicrotask(done);
    });
    function done(): void {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      unsubscribe();
      resolve();
    }
  });
}
