/** Does a refusal take longer for an object that exists? Each pair of requests is sent in turn, so that both see the same machine. */

import { text } from 'node:stream/consumers';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { digits } from '../server/result.ts';
import { report } from '../storage/measure.ts';

const PAIRS = 20_000;
const SECRETS = '/api/v1/namespaces/default/secrets';
const NOBODY = { name: 'nobody', groups: ['system:authenticated'] };
const MASTER = { name: 'ada', groups: ['system:masters'] };

type User = typeof MASTER;

/** Prints the mean of each, and how many standard errors they are apart: as many as of the control, two missing names, is noise. */
export async function benchRefusals(): Promise<void> {
  await using server = createApiServer({ engine: createMemoryEngine() });
  await server.start();
  const ask = async (path: string, user: User, body?: object): Promise<number> => {
    const method = body === undefined ? 'GET' : 'POST';
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = { 'content-type': 'application/json' };
    const answer = await server.handle({ method, path, headers, body: bytes }, { user });
    await text(answer.body);
    return answer.status;
  };
  await ask(SECRETS, MASTER, { metadata: { name: 'exists' } });
  for (const [bench, exists, missing] of [
    ['refusal-control', `${SECRETS}/missed`, `${SECRETS}/absent`],
    ['refusal-by-name', `${SECRETS}/exists`, `${SECRETS}/absent`],
    ['refusal-by-namespace', `${SECRETS}/exists`, '/api/v1/namespaces/missing/secrets/exists'],
    ['refusal-of-a-list', SECRETS, '/api/v1/namespaces/missing/secrets'],
  ] as const) {
    const differences: number[] = [];
    const times = [0, 0];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // Who goes first changes, or the second would always find the processor warm.
      const order = pair % 2 === 0 ? [0, 1] : [1, 0];
      const spent = [0, 0];
      for (const which of order) {
        const started = performance.now();
        const status = await ask(which === 0 ? exists : missing, NOBODY);
        spent[which] = (performance.now() - started) * 1000;
        if (status !== 403) throw new Error(`${status} instead of 403`);
      }
      differences.push((spent[0] ?? 0) - (spent[1] ?? 0));
      for (const which of [0, 1]) times[which] = (times[which] ?? 0) + (spent[which] ?? 0) / PAIRS;
    }
    const kept = trimmed(differences);
    const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length;
    const variance = kept.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (kept.length - 1);
    const errors = Math.abs(mean) / Math.sqrt(variance / kept.length);
    const [existing = 0, absent = 0] = times;
    report({ bench, value: digits(mean), unit: 'us apart', standardErrors: digits(errors), existing, absent });
  }
}

/** Without the outliers of a busy machine: a twentieth on each side. */
function trimmed(values: readonly number[]): readonly number[] {
  const cut = Math.floor(values.length / 20);
  return values.toSorted((a, b) => a - b).slice(cut, values.length - cut);
}
