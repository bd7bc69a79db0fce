/** Starts the server in a process of its own: what is tested happens only when its client does not wait for its loop. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LoggedInBrowser } from '../../src/console/logged-in-browser.fixture.ts';

const PROGRAM = fileURLToPath(new URL('server.ts', import.meta.url));

/** One way into the server. */
export interface Door {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that runs. */
export interface ServerProcess extends AsyncDisposable {
  readonly ca: string;
  readonly doors: readonly Door[];
}

/** What the program says when it is ready. */
interface Ready {
  readonly ca: string;
  readonly urls: Readonly<Record<string, string>>;
  readonly consoleLink: string;
}

/** Starts it on an engine: `memory`, `lmdb`, or `etcd` and its endpoint. */
export async function startServer(...engine: readonly string[]): Promise<ServerProcess> {
  const child = fork(PROGRAM, engine, { execArgv: ['--conditions=@listwatch/source', '--import', 'tsx'] });
  const ended = once(child, 'exit');
  const { ca, urls, consoleLink } = await new Promise<Ready>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const browser = await LoggedInBrowser.open(consoleLink);
  return {
    ca,
    doors: [
      ...Object.entries(urls).map(([name, url]) => ({ name, url, headers: {} })),
      { name: "the console's door", url: browser.url, headers: browser.headers },
    ],
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await ended;
    },
  };
}
