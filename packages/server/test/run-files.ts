/** A program that creates a ConfigMap and prints the files of the server whose functions ran meanwhile: `run-files.ts`. */

import { Session } from 'node:inspector/promises';
import { createMemoryEngine } from '@listwatch/storage';
import { createApiServer } from '../src/index.ts';

const user = { name: 'reader', groups: ['system:masters'] };
await using engine = createMemoryEngine();
await using server = createApiServer({ engine });
await server.start();
const profiler = new Session();
profiler.connect();

async function post(name: string): Promise<void> {
  const body = Buffer.from(JSON.stringify({ metadata: { name }, data: { a: 'b' } }));
  const headers = { 'content-type': 'application/json' };
  const path = '/api/v1/namespaces/default/configmaps';
  const answer = await server.handle({ method: 'POST', path, headers, body }, { user });
  for await (const _ of answer.body) void _;
  if (answer.status !== 201) throw new Error(`the answer is ${answer.status}`);
}

await profiler.post('Profiler.enable');
await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
// What the first request loads and remembers is not run by the next one.
await post('first');
await profiler.post('Profiler.takePreciseCoverage');
await post('second');
const { result } = await profiler.post('Profiler.takePreciseCoverage');
const files = result
  .filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  .map(({ url }) => /packages\/server\/src\/([^?]+)/u.exec(url)?.[1] ?? '')
  .filter((file) => file !== '');
process.stdout.write(JSON.stringify(files.toSorted()));
