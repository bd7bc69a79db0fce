/** Notices that the reader of a pipe has gone while nothing is written to it. */

import { fstatSync } from 'node:fs';
import type { WASI as WasiClass } from 'node:wasi';

/** How often to look. `head` has its lines at once; nobody minds a second. */
const INTERVAL_MS = 1_000;

/** The smallest WebAssembly module with a memory, which is all that WASI's `poll_oneoff` needs: `(module (memory (export "memory") 1))`. */
// biome-ignore format: section by section
const MEMORY_MODULE = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x05, 0x03, 0x01, 0x00, 0x01,
  0x07, 0x0a, 0x01, 0x06, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 0x02, 0x00,
);

/** Where the two subscriptions, the events and their number are in the memory; a subscription has 48 bytes, an event 32. */
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const EVENTS_AT = 128;
const COUNT_AT = 256;

/** From WASI preview 1. */
const CLOCK = 0;
const FD_WRITE = 2;
const MONOTONIC = 1;
const HANGUP = 1;
const WASI_STDOUT = 1;

/**
 * Calls `listener` once when nobody reads the pipe or socket `fd` any more, until the result is called. Node notices it only
 * at the next write (EPIPE), which may be hours away, and offers no poll(2) but the one in WASI. Where that does not work the
 * next write has to do.
 */
export function onHangup(fd: number, listener: () => void): () => void {
  if (!isPipe(fd)) return () => {};
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  const start = async (): Promise<void> => {
    const isGone = await openPoll(fd);
    if (isStopped) return;
    timer = setInterval(() => {
      if (!isGone()) return;
      stop();
      listener();
    }, INTERVAL_MS);
    timer.unref();
  };
  start().catch(stop);
  return stop;
}

function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** What is used of it; only a browser's types have it. */
interface WebAssemblyParts {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer } } };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a standard global
const webAssembly = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyParts;

/** A function that says whether the reader of `fd` has gone. */
async function openPoll(fd: number): Promise<() => boolean> {
  const WASI = await importQuietly();
  const wasi = new WASI({ version: 'preview1', stdout: fd });
  const { Instance, Module } = webAssembly;
  const instance = new Instance(new Module(MEMORY_MODULE));
  wasi.initialize(instance);
  const { memory } = instance.exports;
  const poll: unknown = Object(wasi.wasiImport)['poll_oneoff'];
  if (typeof poll !== 'function') throw new TypeError('WASI has no poll_oneoff');
  const view = new DataView(memory.buffer);
  return () => {
    new Uint8Array(memory.buffer).fill(0, 0, COUNT_AT + 4);
    view.setUint8(8, FD_WRITE);
    view.setUint32(16, WASI_STDOUT, true);
    // For a millisecond: a full pipe would otherwise block the process until its reader takes something.
    view.setUint8(SUBSCRIPTION_BYTES + 8, CLOCK);
    view.setUint32(SUBSCRIPTION_BYTES + 16, MONOTONIC, true);
    view.setBigUint64(SUBSCRIPTION_BYTES + 24, 1_000_000n, true);
    poll(0, EVENTS_AT, 2, COUNT_AT);
    const count = view.getUint32(COUNT_AT, true);
    for (let at = EVENTS_AT; at < EVENTS_AT + count * EVENT_BYTES; at += EVENT_BYTES) {
      if (view.getUint8(at + 10) !== FD_WRITE) continue;
      if (view.getUint16(at + 8, true) !== 0 || (view.getUint16(at + 24, true) & HANGUP) !== 0) return true;
    }
    return false;
  };
}

/** Without the warning that WASI is experimental: it would be on the screen of everybody who pipes. */
async function importQuietly(): Promise<typeof WasiClass> {
  const before = Object.getOwnPropertyDescriptor(process, 'emitWarning') ?? {};
  Object.defineProperty(process, 'emitWarning', { ...before, value: () => {} });
  try {
    return (await import('node:wasi')).WASI;
  } finally {
    Object.defineProperty(process, 'emitWarning', before);
  }
}
