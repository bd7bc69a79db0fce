/** A host for tests: it keeps what is written, and its signals come when the test says so. */

import type { EndSignal, Host, Output } from './host.ts';

/** A host with hands. */
export interface FakeHost extends Host {
  readonly written: { stdout: string; stderr: string };
  /** Exit codes that were asked for. */
  readonly exits: readonly number[];
  signal(signal: EndSignal): void;
  /** Resolves when stdout has this text. */
  seen(text: string): Promise<void>;
}

/** Makes one. */
export function fakeHost(
  options: Partial<Pick<Host, 'args' | 'env' | 'folder'>> & { terminal?: boolean } = {},
): FakeHost {
  const written = { stdout: '', stderr: '' };
  const exits: number[] = [];
  const listeners = new Set<(signal: EndSignal) => void>();
  const waiting = new Set<() => void>();
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTerminal: options.terminal ?? false,
    write(text) {
      written[name] += text;
      for (const look of waiting) look();
    },
  });
  return {
    args: options.args ?? [],
    env: options.env ?? {},
    folder: options.folder ?? '/',
    stdout: output('stdout'),
    stderr: output('stderr'),
    written,
    exits,
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: (code) => exits.push(code),
    signal(signal) {
      for (const listener of listeners) listener(signal);
    },
    seen: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!written.stdout.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
