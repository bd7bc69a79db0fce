/** A program under leader election: says when it leads and what it writes, on the clock that all processes of a machine share. */

import { writeSync } from 'node:fs';
import { type Clock, resource, sleep, systemClock } from '@listwatch/api';
import { connect, decorateCluster } from '@listwatch/client';
import { silentLogger } from '@listwatch/runtime';
import { manager } from '@listwatch/runtime/manager';

const [server = '', token = '', lease = '', name = ''] = process.argv.slice(2);
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

let skewMs = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + skewMs };
const stop = new AbortController();

/** At once, and not through a buffer: the process may be killed behind it. */
function say(type: string): void {
  writeSync(1, `${JSON.stringify({ type, at: Number(process.hrtime.bigint()) / 1e6 })}\n`);
}

process.on('message', (ms) => {
  skewMs += Number(ms);
});
process.on('SIGTERM', () => stop.abort());
// The test has gone.
process.on('disconnect', () => process.exit(1));

const plain = await connect({ server, token, insecureSkipTlsVerify: true, clock, headersTimeoutMs: 5_000 });
// Below everything that may still refuse to write.
const cluster = decorateCluster(plain, (next) => ({
  name: next.name,
  send: (request) => {
    if (request.method === 'PATCH') say('write');
    return next.send(request);
  },
  close: () => next.close(),
  [Symbol.asyncDispose]: () => next.close(),
}));
for (let life = 0; !stop.signal.aborted; life++) {
  const program = manager(cluster, {
    health: false,
    logger: silentLogger,
    leaderElection: {
      lease: { namespace: 'default', name: lease },
      identity: `${name}-${life}`,
      leaseDurationMs: 3_000,
      renewDeadlineMs: 2_000,
      retryMs: 200,
    },
  });
  program.add({
    name: 'span',
    run: ({ signal }) =>
      new Promise<void>((resolve) => {
        say('lead');
        signal.addEventListener('abort', () => {
          say('lost');
          resolve();
        });
      }),
  });
  program.add({
    name: 'writer',
    for: configMaps,
    selection: { fieldSelector: `metadata.name=${lease}` },
    stopGraceMs: 0,
    // Runs until it is cancelled.
    reconcile: async ({ key }, { cluster: writes, signal }) => {
      say('begin');
      try {
        for (;;) {
          signal.throwIfAborted();
          await writes.patch(configMaps, key, { type: 'merge', body: { data: { by: `${name}-${life}` } } });
          await sleep(systemClock, 20, signal);
        }
      } finally {
        say('end');
      }
    },
  });
  // A lost lease ends the manager: the next life is another candidate, as under a supervisor.
  await program.run({ signal: stop.signal }).catch(() => undefined);
}
await cluster.close();
process.disconnect();
