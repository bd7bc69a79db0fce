/** The process around the command: its arguments, its streams, its signals. Tests bring their own. */

/** A signal that asks the server to end. */
export type EndSignal = 'SIGINT' | 'SIGTERM';

/** Where text goes. */
export interface Output {
  /** Is a person reading? */
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** What the command sees of the world. */
export interface Host {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls `listener` for each signal until the answer is called. */
  onSignal(listener: (signal: EndSignal) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** The process that we are in. */
export function processHost(): Host {
  return {
    args: process.argv.slice(2),
    env: process.env,
    folder: process.cwd(),
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    onSignal(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener).off('SIGTERM', listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}

function outputTo(stream: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined }): Output {
  // `listwatch serve | head -1`: who stops listening to the server must not stop the server.
  stream.on('error', () => {});
  return {
    isTerminal: stream.isTTY ?? false,
    write(text) {
      stream.write(text);
    },
  };
}
