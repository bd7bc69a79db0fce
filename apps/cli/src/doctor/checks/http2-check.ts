/** HTTP/2: do many watches share one connection? */

import { CannotCheck, type Check, type CheckContext } from '../check.ts';
import { explainProbe } from '../explain-probe.ts';
import type { ProbedCollection } from '../facts.ts';
import { note, ok, warn } from '../finding.ts';
import { observeWatch } from '../observe-watch.ts';
import { NOTHING } from '../subject-path.ts';

const WATCHES = 8;

export const http2Check: Check = {
  name: 'http2',
  about: 'protocol, and requests beside open watches',
  async run(context) {
    const { cluster, facts } = context;
    await facts.contact();
    const { name } = cluster.transport;
    if (name !== 'http/2' && name !== 'http/1.1') throw new CannotCheck(`the transport is ${name}`);
    const subject = await facts.subject();
    const data = { protocol: name, watches: WATCHES };
    const problem = await besideWatches(context, subject);
    if (problem !== undefined) {
      const advice = 'Look for a proxy with a limit of streams or connections for each client.';
      return [warn(`A request beside ${WATCHES} open watches over ${name} is not answered: ${problem}.`, advice, data)];
    }
    if (name === 'http/2') return [ok(`${WATCHES} watches and requests share one connection over HTTP/2.`, data)];
    const isPlain = cluster.server.startsWith('http:');
    const advice = isPlain
      ? 'Without TLS, HTTP/2 is not negotiated. Use https where there are many watches.'
      : 'Each watch takes a connection of its own. Let the proxy in front of the server pass HTTP/2 (ALPN h2).';
    return [note('The connection is HTTP/1.1.', advice, data)];
  },
};

/** Why a small request is not answered while watches are open; undefined when it is. */
async function besideWatches(context: CheckContext, subject: ProbedCollection): Promise<string | undefined> {
  const open = new AbortController();
  const signal = AbortSignal.any([context.signal, open.signal]);
  const query = { fieldSelector: NOTHING, timeoutSeconds: 60, resourceVersion: '0', allowWatchBookmarks: true };
  const watches = Array.from({ length: WATCHES }, () =>
    observeWatch({ cluster: context.cluster, signal }, subject, query).catch(() => {}),
  );
  try {
    await context.ask('/version');
    return undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    return explainProbe(error);
  } finally {
    open.abort(new Error('enough'));
    await Promise.all(watches);
  }
}
