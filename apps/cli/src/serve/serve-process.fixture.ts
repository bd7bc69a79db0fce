/** `listwatch` as a real process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { packageFlags } from '@listwatch/conformance/parts';
import { load } from 'js-yaml';

/** What a kubeconfig says, untyped. */
const parseYaml = (text: string) => JSON.parse(JSON.stringify(load(text)));

const BIN = fileURLToPath(new URL('../../bin/listwatch.js', import.meta.url));

/** What to start Node with. */
export function flagsOf(args: readonly string[]): readonly string[] {
  return [...packageFlags(), BIN, ...args];
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that runs. */
export class ListwatchProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}) {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('LISTWATCH_'));
    this.#child = spawn(process.execPath, [...flagsOf(args)], {
      cwd: folder,
      env: { ...Object.fromEntries(kept), ...env },
    });
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.#stdout += String(data);
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#stderr += String(data);
    });
    this.#ended = this.#end();
  }

  get ended(): Promise<Ended> {
    return this.#ended;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The JSON line that says it is ready. Rejects when the process ends before. */
  async ready(): Promise<{ readonly url: string; readonly kubeconfig: string; readonly msg: string }> {
    return JSON.parse(await this.line('Ready at'));
  }

  /** The first line with this text, once it is there. Rejects when the process ends before. */
  async line(text: string, on: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
    for (;;) {
      const written = on === 'stdout' ? this.#stdout : this.#stderr;
      const found = written.split('\n').find((line) => line.includes(text));
      if (found !== undefined) return found;
      const { code } = await Promise.race([this.#ended, this.#data(on)]);
      if (code !== undefined) throw new Error(`it ended with ${code} before it said ${text}: ${this.#stderr}`);
    }
  }

  /** Reads no more of its stdout, as `head` does when it has its lines. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #data(on: 'stdout' | 'stderr'): Promise<{ readonly code?: undefined }> {
    const stream = this.#child[on];
    if (stream !== null) await once(stream, 'data');
    return {};
  }

  async #end(): Promise<Ended> {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      this.#child.once('close', (...end) => resolve(end)),
    );
    return { code, signal, stdout: this.#stdout, stderr: this.#stderr };
  }
}

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Where a kubeconfig leads, whom it trusts and who its user is, for Node's HTTPS. */
export function readCredentials(kubeconfig: string): RequestOptions & { readonly server: string } {
  const config = parseYaml(readFileSync(kubeconfig, 'utf8'));
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  return {
    server: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64'),
    cert: Buffer.from(user['client-certificate-data'], 'base64'),
    key: Buffer.from(user['client-key-data'], 'base64'),
  };
}

/** Asks the server of a kubeconfig, as its user or, with other options, as somebody else. */
export async function ask(
  kubeconfig: string,
  path: string,
  options: RequestOptions = {},
  body?: unknown,
): Promise<Answer> {
  const { server, ...credentials } = readCredentials(kubeconfig);
  const sent = request(new URL(path, server), { ...credentials, agent: false, ...options });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response ?? []) text += String(chunk);
  return { status: response?.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text };
}
