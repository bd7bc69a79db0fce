/** `listwatch doctor`: examines the list-watch of any cluster. Start here. */

import { painter, printable } from '@listwatch/api/internal';
import { type Cluster, connect } from '@listwatch/client';
import { connectionOf } from '../cluster/connection.ts';
import { type Connect, openCluster } from '../cluster/open-cluster.ts';
import { CommandEnd, exitCode } from '../command-end.ts';
import type { Host } from '../host.ts';
import { elapsedText } from '../terminal/elapsed-text.ts';
import { Screen } from '../terminal/screen.ts';
import { countText } from './amount-text.ts';
import { CHECKS } from './checks.ts';
import type { DoctorFlags } from './doctor-flags.ts';
import { type DoctorSettings, resolveDoctorSettings } from './doctor-settings.ts';
import { type DoctorReport, doctorReport, reportExitCode, reportJson } from './report-json.ts';
import { reportText } from './report-text.ts';
import { CheckRunner, type DoctorProgress } from './run-checks.ts';

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` when no cluster is configured. */
export async function doctor(flags: DoctorFlags, host: Host, connectTo: Connect = connect): Promise<number> {
  const settings = resolveDoctorSettings(
    flags,
    CHECKS.map(({ name }) => name),
    host.folder,
  );
  const connection = connectionOf(flags, host.folder, 'listwatch-doctor');
  const end = new CommandEnd(host);
  try {
    // Without retries: each failure of the server is what we are here for.
    await using cluster = await openCluster(connectTo, { ...connection, maxRetries: 0, onWarning: false }, host);
    const report = await examine(cluster, settings, host, end);
    host.stdout.write(`${print(report, settings, host)}\n`);
    await host.stdout.drained();
    if (end.reason === undefined) return reportExitCode(report);
  } catch (error) {
    if (end.reason === undefined) throw error;
  } finally {
    end.stop();
  }
  return exitCode(end.reason);
}

async function examine(
  cluster: Cluster,
  settings: DoctorSettings,
  host: Host,
  { signal }: CommandEnd,
): Promise<DoctorReport> {
  const started = performance.now();
  const runner = new CheckRunner(cluster, settings, signal);
  const screen = new Screen({
    host,
    clock: cluster.clock,
    paint: painter(host.stderr.isTerminal, host.env),
    status: settings.status
      ? () => statusText(cluster.server, runner.progress, performance.now() - started)
      : undefined,
  });
  try {
    return doctorReport(cluster.server, await runner.run(CHECKS), performance.now() - started);
  } finally {
    screen.stop();
    if (signal.aborted) {
      for (const leftover of runner.leftovers) host.stderr.write(`listwatch: left behind: ${printable(leftover)}\n`);
    }
  }
}

function statusText(server: string, { done, total, running, requests }: DoctorProgress, ms: number): string {
  const now = [...running].join(', ') || 'connecting';
  return `${server}: ${done} of ${total} checks · ${now} · ${countText(requests, 'request')} · ${elapsedText(ms)}`;
}

function print(report: DoctorReport, { format }: DoctorSettings, { stdout, env }: Host): string {
  if (format === 'json') return reportJson(report);
  return reportText(report, { paint: painter(stdout.isTerminal, env), columns: stdout.columns });
}
