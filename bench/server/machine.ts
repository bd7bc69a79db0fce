/** The first line of every run: what it ran on. */

import { cpus, loadavg, release } from 'node:os';
import { report } from '../storage/measure.ts';

/** Prints it. The load says whether others were at work. */
export function machine(facts: Readonly<Record<string, unknown>> = {}): void {
  report({
    bench: 'machine',
    date: new Date().toISOString(),
    node: process.version,
    kernel: release(),
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    load: loadavg()[0],
    ...facts,
  });
}
