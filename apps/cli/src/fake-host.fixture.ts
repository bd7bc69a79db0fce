/** A host for tests: it keeps what is written, and its signals come when the test says so. */

import type { EndSignal, Host, Output } from './host.ts';

/** A host with hands. */
export interface FakeHost extends Host {
  readonly written: { stdout: string; stderr: string };
  /** Exit codes that were asked for. */
  readonly exits: readonly number[];
  /** Links that were opened in the browser. */
  readonly links: readonly string[];
  signal(signal: EndSignal): void;
  /** SIGUSR2. */
  requestLink(): void;
  /** Resolves when stdout, or the other one, has this text. */
  seen(text: string, on?: 'stdout' | 'stderr'): Promise<void>;
  /** Nobody reads stdout any more. */
  closeOutput(): void;
}

/** Makes one. */
export function fakeHost(
  options: Partial<Pick<Host, 'args' | 'env' | 'folder'>> & {
    /** Which outputs are terminals: both, one, or none. Default: none. */
    terminal?: boolean | 'stderr';
    columns?: number;
    /** Is there a browser? Default: true. */
    browser?: boolean;
  } = {},
): FakeHost {
  const written = { stdout: '', stderr: '' };
  const exits: number[] = [];
  const links: string[] = [];
  const linkListeners = new Set<() => void>();
  const listeners = new Set<(signal: EndSignal) => void>();
  const waiting = new Set<() => void>();
  const closed = new Set<() => void>();
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTerminal: options.terminal === true || options.terminal === name,
    columns: options.columns,
    write(text) {
      written[name] += text;
      for (const look of waiting) look();
    },
    drained: () => undefined,
    onClosed(listener) {
      if (name === 'stdout') closed.add(listener);
      return () => closed.delete(listener);
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
    links,
    openLink: async (url) => {
      links.push(url);
      return options.browser ?? true;
    },
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onLinkRequest(listener) {
      linkListeners.add(listener);
      return () => linkListeners.delete(listener);
    },
    requestLink() {
      for (const listener of linkListeners) listener();
    },
    exit: (code) => exits.push(code),
    signal(signal) {
      for (const listener of listeners) listener(signal);
    },
    closeOutput() {
      for (const listener of closed) listener();
    },
    seen: (text, on = 'stdout') =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!written[on].includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
