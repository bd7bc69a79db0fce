/** The contract of one check. */

import type { Cluster } from '@listwatch/client';
import type { DoctorSettings } from './doctor-settings.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { Ask } from './probe.ts';

/** What a check works with. Its requests are counted as its own. */
export interface CheckContext {
  readonly cluster: Cluster;
  /** Sends one request and reads a bounded answer; every status is an answer. */
  readonly ask: Ask;
  readonly settings: DoctorSettings;
  readonly facts: Facts;
  /** Aborted when the check has had its time, or when the command ends. */
  readonly signal: AbortSignal;
  /** Runs once the check is over, however it ended, also after Ctrl-C. A rejection is reported as something left behind. */
  cleanUp(task: CleanUpTask): void;
}

/** Undoes what a check wrote. */
export interface CleanUpTask {
  /** What stays behind when it fails, and how to remove it. */
  readonly leftover: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Examines one thing. A throw becomes a finding; it never takes down another check. */
export interface Check {
  readonly name: string;
  /** What it examines, for the help. */
  readonly about: string;
  /** How long it waits on purpose. It gets this much more time, and runs beside the other checks. Default: 0. */
  readonly waitsMs?: ((settings: DoctorSettings) => number) | undefined;
  readonly run: (context: CheckContext) => Promise<readonly Finding[]>;
}

/** Thrown by a check that cannot run here: no permission, nothing to look at. Becomes `skipped`. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}
