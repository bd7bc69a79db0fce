/** `npm run test:fuzz [requests] [seed]`: a long run of the fuzzer. Prints JSON lines; fails on any complaint. */

import { EXPECTED_STATUSES, runFuzz } from '@listwatch/conformance/fuzz';
import { servedKinds, startFuzzedServer } from './fuzz-process.ts';

const requests = wholeNumber(process.argv[2], 1_000_000);
const seed = wholeNumber(process.argv[3], Date.now() % 1_000_000);
const PROGRESS_EVERY = 50_000;
const SHOWN_STALLS = 15;

print({ run: 'fuzz', requests, seed });
await using server = await startFuzzedServer();
let shown = 0;
const started = performance.now();
const result = await runFuzz(server, {
  requests,
  seed,
  kinds: await servedKinds(),
  onProgress: ({ sent, rssBytes, worstStallMs }) => {
    if (sent - shown < PROGRESS_EVERY) return;
    shown = sent;
    print({ sent, peakRssMb: megabytes(rssBytes), worstStallMs });
  },
});
for (const stall of result.attackStalls.slice(0, SHOWN_STALLS))
  print({ attack: stall.name, ...stall, name: undefined });
for (const complaint of result.complaints) print({ complaint });
const missing = EXPECTED_STATUSES.filter((status) => !result.statuses.has(status));
print({
  sent: result.sent,
  seconds: Math.round((performance.now() - started) / 1000),
  crashes: server.exit === undefined ? 0 : 1,
  complaints: result.complaints.length,
  statuses: Object.fromEntries([...result.statuses].toSorted(([a], [b]) => a - b)),
  statusesNotMet: missing,
  worstAttackStallMs: result.attackStalls[0]?.stallMs,
  worstStallUnderLoadMs: result.worstStallMs,
  firstRssMb: megabytes(result.firstRssBytes),
  peakRssMb: megabytes(result.peakRssBytes),
});
process.exitCode = result.complaints.length === 0 && missing.length === 0 ? 0 : 1;

function wholeNumber(text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`not a whole number from 1: ${text}`);
  return value;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

function print(line: object): void {
  // oxlint-disable-next-line no-console -- a script that prints JSON lines
  console.log(JSON.stringify(line));
}
