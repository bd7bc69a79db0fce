/** The metrics of a relay, read from its state when they are asked for. */

import { Counter, Gauge, type Registry } from '@listwatch/server/read';
import type { RelayState } from './relay-state.ts';

type Line = readonly [labels: Readonly<Record<string, string>>, value: number];

export interface RelayMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels: readonly string[];
  readonly read: (state: RelayState) => readonly Line[];
}

/** All of them; the table of docs/guide/relay.md has the same. */
export const RELAY_METRICS: readonly RelayMetric[] = [
  {
    name: 'listwatch_relay_cached_requests_total',
    help: 'Requests that were answered from the cache, by kind and verb.',
    type: 'counter',
    labels: ['kind', 'verb'],
    read: ({ reads }) => reads.cached.map(({ kind, verb, count }) => [{ kind, verb }, count]),
  },
  {
    name: 'listwatch_relay_passed_requests_total',
    help: 'Requests that were passed on to the upstream server, by the reason.',
    type: 'counter',
    labels: ['reason'],
    read: ({ reads }) => Object.entries(reads.passed).map(([reason, count]) => [{ reason }, count]),
  },
  {
    name: 'listwatch_relay_old_answers_total',
    help: 'Answers from the cache that said how old they may be, because the upstream server was away.',
    type: 'counter',
    labels: ['kind'],
    read: ({ reads }) => Object.entries(reads.old).map(([kind, count]) => [{ kind }, count]),
  },
  {
    name: 'listwatch_relay_kind_live',
    help: 'Whether the cache of a kind is as the upstream server: 1, or 0 while it is loaded or the upstream is away.',
    type: 'gauge',
    labels: ['kind'],
    read: ({ kinds, unservedKinds }) => [
      ...kinds.map(({ kind, state }): Line => [{ kind }, state === 'live' ? 1 : 0]),
      ...unservedKinds.map(({ kind }): Line => [{ kind }, 0]),
    ],
  },
  {
    name: 'listwatch_relay_kind_loads_total',
    help: 'How often a kind was read as a whole from the upstream server.',
    type: 'counter',
    labels: ['kind'],
    read: ({ kinds }) => kinds.map(({ kind, feed }) => [{ kind }, feed.loads]),
  },
  {
    name: 'listwatch_relay_kind_checks_total',
    help: 'Answers, after a watch was cut, whether the upstream server still has the same history: one object each.',
    type: 'counter',
    labels: ['kind'],
    read: ({ kinds }) => kinds.map(({ kind, feed }) => [{ kind }, feed.checks]),
  },
  {
    name: 'listwatch_relay_kind_events_total',
    help: 'Changes that came from the upstream server.',
    type: 'counter',
    labels: ['kind'],
    read: ({ kinds }) => kinds.map(({ kind, feed }) => [{ kind }, feed.events]),
  },
  {
    name: 'listwatch_relay_journal_bytes',
    help: 'The file in which a kind is kept for a restart.',
    type: 'gauge',
    labels: ['kind'],
    read: ({ kinds }) => kinds.flatMap(({ kind, journal }): Line[] => (journal ? [[{ kind }, journal.bytes]] : [])),
  },
  {
    name: 'listwatch_relay_journal_failures_total',
    help: 'How often the journal of a kind could not be written, and was given up for 5 minutes.',
    type: 'counter',
    labels: ['kind'],
    read: ({ kinds }) => kinds.flatMap(({ kind, journal }): Line[] => (journal ? [[{ kind }, journal.failures]] : [])),
  },
  {
    name: 'listwatch_relay_probes_total',
    help: 'Questions to the upstream server how far a kind is, for reads without a version.',
    type: 'counter',
    labels: ['kind', 'outcome'],
    read: ({ kinds }) =>
      kinds.flatMap(({ kind, proofs }): Line[] => [
        [{ kind, outcome: 'answered' }, proofs.probes],
        [{ kind, outcome: 'failed' }, proofs.failedProbes],
      ]),
  },
  {
    name: 'listwatch_relay_beats_total',
    help: 'Second watches of a quiet kind, opened for a bookmark, and those that brought one.',
    type: 'counter',
    labels: ['kind', 'outcome'],
    read: ({ kinds }) =>
      kinds.flatMap(({ kind, proofs: { beats } }): Line[] => [
        [{ kind, outcome: 'opened' }, beats.opened],
        [{ kind, outcome: 'proven' }, beats.proven],
      ]),
  },
  {
    name: 'listwatch_relay_fresh_reads_total',
    help: 'Reads without a version: proven at once or by a beat; or left to the upstream server: quiet, no proof, away, doubt.',
    type: 'counter',
    labels: ['kind', 'outcome'],
    read: ({ kinds }) =>
      kinds.flatMap(({ kind, proofs }): Line[] => [
        [{ kind, outcome: 'at_once' }, proofs.atOnce],
        [{ kind, outcome: 'beat' }, proofs.byBeat],
        [{ kind, outcome: 'quiet' }, proofs.quiet],
        [{ kind, outcome: 'no_proof' }, proofs.noProof],
        [{ kind, outcome: 'away' }, proofs.away],
        [{ kind, outcome: 'doubt' }, proofs.doubt],
      ]),
  },
  {
    name: 'listwatch_relay_shared_requests_total',
    help: 'Requests that were answered with what the upstream server answered to an equal one.',
    type: 'counter',
    labels: [],
    read: ({ reads }) => [[{}, reads.shared]],
  },
  {
    name: 'listwatch_relay_refused_requests_total',
    help: 'Large requests that got a 429, because too many of their kind were passing.',
    type: 'counter',
    labels: [],
    read: ({ reads }) => [[{}, reads.refused]],
  },
  {
    name: 'listwatch_relay_watchers',
    help: 'Watches that are answered from the cache of a kind now.',
    type: 'gauge',
    labels: ['kind'],
    read: ({ kinds }) => kinds.map(({ kind, watchers }) => [{ kind }, watchers]),
  },
  {
    name: 'listwatch_relay_passing',
    help: 'Requests that are being passed on now.',
    type: 'gauge',
    labels: ['type'],
    read: ({ passing }) => [
      [{ type: 'request' }, passing.open],
      [{ type: 'tunnel' }, passing.tunnels],
    ],
  },
  {
    name: 'listwatch_relay_reviews_total',
    help: 'Questions about tokens and access: answered from the cache, asked upstream, failed, refused because too many waited, or stretched.',
    type: 'counter',
    labels: ['review', 'outcome'],
    read: ({ access }) =>
      (['tokens', 'decisions'] as const).flatMap((review) =>
        (['hits', 'asked', 'failed', 'refused', 'stretched'] as const).map(
          (outcome): Line => [{ review, outcome }, access[review][outcome]],
        ),
      ),
  },
  {
    name: 'listwatch_relay_ended_watches_total',
    help: 'Watches that were ended because their user may not have them any more.',
    type: 'counter',
    labels: [],
    read: ({ access }) => [[{}, access.watches.ended]],
  },
];

/** Adds the metrics to a registry. */
export function registerRelayMetrics(registry: Registry, state: () => RelayState): void {
  for (const { name, help, type, labels, read } of RELAY_METRICS) {
    const common = { name, help, labelNames: labels, registers: [] };
    const metric =
      type === 'counter'
        ? new Counter({
            ...common,
            collect() {
              this.reset();
              for (const [of, value] of read(state())) this.inc(of, value);
            },
          })
        : new Gauge({
            ...common,
            collect() {
              this.reset();
              for (const [of, value] of read(state())) this.set(of, value);
            },
          });
    registry.registerMetric(metric);
  }
}
