/** The process around the command: its arguments, its streams, its signals. Tests bring their own. */

import { onHangup } from './hangup-poll.ts';
import { openBrowser } from './open-browser.ts';

/** A signal that asks the server to end. */
export type EndSignal = 'SIGINT' | 'SIGTERM';

/** Where text goes. */
export interface Output {
  /** Is a person reading? */
  readonly isTerminal: boolean;
  /** How wide the terminal is now; undefined where there is none. */
  readonly columns: number | undefined;
  write(text: string): void;
  /** A promise when more was written than has been taken: wait for it before you write on. */
  drained(): Promise<void> | undefined;
  /** Calls `listener` when the reader has gone, as `head` does after its lines, until the result is called. */
  onClosed(listener: () => void): () => void;
}

/** What the command sees of the world. */
export interface Host {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls `listener` for each signal until the result is called. */
  onSignal(listener: (signal: EndSignal) => void): () => void;
  /** Calls `listener` each time somebody asks for a new link to the console, by SIGUSR2, until the result is called. */
  onLinkRequest(listener: () => void): () => void;
  /** Opens a link in the user's browser. Resolves with whether a program took it; never rejects. */
  openLink(url: string): Promise<boolean>;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** The process that we are in. */
export function processHost(): Host {
  return {
    args: process.argv.slice(2),
    env: process.env,
    folder: process.cwd(),
    stdout: outputTo(process.stdout, 1),
    stderr: outputTo(process.stderr, 2),
    onSignal(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener).off('SIGTERM', listener);
      };
    },
    onLinkRequest(listener) {
      // Windows has no such signal, and Node throws there.
      if (process.platform === 'win32') return () => {};
      process.on('SIGUSR2', listener);
      return () => process.off('SIGUSR2', listener);
    },
    openLink: (url) => openBrowser(url, { env: process.env }),
    exit: (code) => process.exit(code),
  };
}

function outputTo(stream: NodeJS.WriteStream, fd: number): Output {
  // `listwatch serve | head -1`: a reader that goes away must not stop the server.
  stream.on('error', () => {});
  return {
    isTerminal: stream.isTTY ?? false,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    write(text) {
      stream.write(text);
    },
    drained: () => (stream.writableNeedDrain && !stream.destroyed ? drainOf(stream) : undefined),
    onClosed(listener) {
      stream.on('error', listener).on('close', listener);
      const stop = onHangup(fd, listener);
      return () => {
        stop();
        stream.off('error', listener).off('close', listener);
      };
    },
  };
}

/** Resolves when the stream can take more, or never will. */
function drainOf(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}
