/** Informers in processes of their own, as light as they can be: a start, and a watch that resumes by its version. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { configMapPath } from '../server/objects.ts';
import type { Target } from '../server/target.ts';
import type { FollowReport, InformerAnswer, InformerOrder } from './informer-plan.ts';

const PROCESSES = 2;
const PATIENCE_MS = 240_000;
/** What client-go 1.35 asks first: everything, as it is now, and then the changes. */
const STREAMED_LIST = `${configMapPath()}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

export interface SyncResult {
  /** From the connection to the bookmark behind the initial events, of each. */
  readonly ms: readonly number[];
  readonly clientMicros: number;
}

/** The informers of all processes as one. */
export class InformerFleet implements AsyncDisposable {
  readonly #children: readonly ChildProcess[];

  constructor() {
    const script = fileURLToPath(new URL('informer-process.ts', import.meta.url));
    this.#children = Array.from({ length: PROCESSES }, () => fork(script, { execArgv: process.execArgv }));
  }

  /** Starts that many with a streamed list each, and closes each when it is synced. */
  async sync({ url, token }: Target, count: number, atOnce: number): Promise<SyncResult> {
    const each = { type: 'sync', url, token, path: STREAMED_LIST } as const;
    const answers = await Promise.all(
      this.#children.map((child) =>
        ask(child, { ...each, count: count / PROCESSES, atOnce: atOnce / PROCESSES }, 'synced'),
      ),
    );
    return {
      ms: answers.flatMap((answer) => (answer.type === 'synced' ? answer.ms : [])),
      clientMicros: answers.reduce((sum, answer) => sum + (answer.type === 'synced' ? answer.cpuMicros : 0), 0),
    };
  }

  /** Opens that many watches after a version. */
  async follow({ url, token }: Target, count: number, from: string): Promise<void> {
    const order = { type: 'follow', url, token, path: configMapPath(), count: count / PROCESSES, from } as const;
    await Promise.all(this.#children.map((child) => ask(child, order, 'following')));
  }

  async report(): Promise<readonly FollowReport[]> {
    const answers = await Promise.all(this.#children.map((child) => ask(child, { type: 'report' }, 'report')));
    return answers.filter((answer): answer is FollowReport => answer.type === 'report');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await exited;
      }),
    );
  }
}

function ask(child: ChildProcess, order: InformerOrder, type: InformerAnswer['type']): Promise<InformerAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      clearTimeout(timer);
      child.off('exit', onExit).off('message', onMessage);
      then();
    };
    const timer = setTimeout(() => settle(() => reject(new Error(`no informers said ${type}`))), PATIENCE_MS);
    const onExit = (): void => settle(() => reject(new Error('a process with informers ended')));
    const onMessage = (message: InformerAnswer): void => {
      if (message.type === 'failed') settle(() => reject(new Error(message.message)));
      else if (message.type === type) settle(() => resolve(message));
    };
    child.on('exit', onExit).on('message', onMessage);
    child.send(order);
  });
}
