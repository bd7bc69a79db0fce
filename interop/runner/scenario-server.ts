/** What the scenario does to a server. */

import type { TcpProxy } from '@listwatch/conformance/parts';
import type { FactSource } from './server-facts.ts';

/** A server behind a proxy that cuts connections. It can be killed and started again on the same data and port. */
export interface ScenarioServer extends AsyncDisposable {
  /** A kubeconfig past the proxy. */
  readonly directKubeconfig: string;
  /** The server itself, past the proxy. */
  readonly facts: FactSource;
  readonly proxy: TcpProxy;
  /** What a program needs to know. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether watches from before a kill go on after it. */
  readonly resumesAfterKill: boolean;
  /** Starts it; resolves when it is ready. */
  start(): Promise<void>;
  /** Starts it so that it soon answers watches from before the start with 410. */
  startForgetful(): Promise<void>;
  /** Ends it with SIGTERM, or with SIGKILL as a crash would. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Requests since its start that read all ConfigMaps of a scope: LISTs and watch-lists, those of the runner included. */
  countReads(): Promise<number>;
}
