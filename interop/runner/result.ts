/** What a run of the scenario has found. */

import type { Engine } from './interop-server.ts';

/** What a client ran against: our server on an engine, or on lmdb behind relays, or a real kube-apiserver for comparison. */
export type Against = Engine | 'kube-apiserver' | 'relay' | 'two relays';

/** The steps of interop/README.md, in their order; `own` is what only this client has. */
export const STEPS = [
  'discover',
  'list',
  'bookmark',
  'start',
  'cut',
  'selector',
  'watch-list',
  'kill',
  'expire',
  'churn',
  'own',
] as const;

export type Step = (typeof STEPS)[number];

/** How one part of a step ended. */
export interface Finding {
  readonly step: Step;
  /** Which part of the step: a kind of list, a view, a command of its own. */
  readonly part: string;
  readonly outcome: 'passed' | 'failed' | 'not offered';
  /** Why it failed or is not offered. */
  readonly text: string;
}

/** One client on one engine. */
export interface ClientRun {
  readonly client: string;
  readonly version: string;
  readonly engine: Against;
  /** `2026-11-16`. */
  readonly date: string;
  /** The short form has fewer objects and a shorter churn. */
  readonly form: 'full' | 'short';
  readonly views: readonly string[];
  readonly findings: readonly Finding[];
  /** LIST and watch-list requests of all views after a step that cut their connections. */
  readonly relists: Readonly<Record<string, number>>;
}

/** `interop/results.json`: the last run of each client on each engine. */
export interface InteropResults {
  readonly runs: readonly ClientRun[];
  /** Clients that this machine could not build. */
  readonly notRun: readonly { readonly client: string; readonly reason: string }[];
}
