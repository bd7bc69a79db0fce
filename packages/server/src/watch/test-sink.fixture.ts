/** A socket for tests of watches. */

import { eventually } from '@listwatch/conformance/storage';
import type { KubeObject } from '@listwatch/rules/internal';
import type { WatchSink } from '../contract/watch-sink.ts';

/** One event. */
export interface ParsedFrame {
  readonly type: string;
  readonly object: KubeObject & { readonly columnDefinitions?: unknown };
}

/** What a frame says. */
export function parseFrame(frame: Buffer): ParsedFrame {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a frame of another shape fails the test
  return JSON.parse(frame.toString()) as ParsedFrame;
}

/** A socket that takes everything, until it is told not to. */
export class TestSink implements WatchSink {
  readonly frames: Buffer[] = [];
  writes = 0;
  ended = false;
  full = false;
  #ready: () => void = () => undefined;
  #closed: () => void = () => undefined;
  #left = false;

  write(frames: readonly Buffer[]): boolean {
    this.frames.push(...frames);
    this.writes += 1;
    return !this.full;
  }

  onReady(listener: () => void): void {
    this.#ready = listener;
  }

  onClose(listener: () => void): void {
    this.#closed = listener;
    if (this.#left) listener();
  }

  end(): void {
    this.ended = true;
  }

  drain(): void {
    this.full = false;
    this.#ready();
  }

  leave(): void {
    this.#left = true;
    this.#closed();
  }

  /** What it has been given once there are `count` frames: they leave at the end of a turn of the loop. */
  async first(count: number): Promise<readonly string[]> {
    await eventually(`${count} frames`, () => this.frames.length >= count);
    return this.events;
  }

  /** `ADDED a@5`, one for each frame. */
  get events(): readonly string[] {
    return this.frames.map((frame) => {
      const { type, object } = parseFrame(frame);
      const { name, resourceVersion, annotations } = object.metadata;
      return `${type} ${name ?? (annotations === undefined ? '-' : 'end')}@${resourceVersion}`;
    });
  }
}
