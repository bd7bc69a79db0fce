/** Watchers that each look at the Pods of one node: a write must not cost more when there are many. */

import type { Connection } from './connection.ts';
import { create, NAMESPACE, objectName, pod, spread } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { digits, middle, record } from './result.ts';
import type { Target } from './target.ts';

const FEW = 10;
const MANY = 10_000;
/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
const WRITES = 2000;
const WRITERS = 16;
const ROUNDS = 5;
/** The same, within what a noisy machine lets us see. */
const SAME = 1.2;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** Server CPU of a write that one watcher sees, with 10 watchers and with 10 000. */
export async function benchNodeWatchers(target: Target): Promise<void> {
  await withConnections(target, 'h1', WRITERS, async (writers) => {
    await spread(writers, FEW, (writer, i) => create(writer, PODS, pod(i, nodeName(i))));
    const few = await withWatchers(target, FEW, () => measure(target, writers));
    const many = await withWatchers(target, MANY, () => measure(target, writers));
    record(target, { bench: `write, ${FEW} node watchers`, value: few, unit: 'us CPU' });
    record(target, { bench: `write, ${MANY} node watchers`, value: many, unit: 'us CPU' });
    record(target, { bench: 'node watchers many/few', value: many / few, unit: 'ratio', goal: { atMost: SAME } });
  });
}

function nodeName(i: number): string {
  return `node-${i}`;
}

async function withWatchers(target: Target, count: number, work: () => Promise<number>): Promise<number> {
  return withConnections(target, 'h2', Math.ceil(count / STREAMS), async (readers) => {
    for (let i = 0; i < count; i += readers.length) {
      const group = readers.slice(0, count - i);
      await Promise.all(group.map((reader, j) => watchNode(reader, i + j)));
    }
    return work();
  });
}

async function watchNode(reader: Connection, i: number): Promise<void> {
  const fields = encodeURIComponent(`spec.nodeName=${nodeName(i)}`);
  await reader.watch(`/api/v1/pods?watch=true&resourceVersion=0&fieldSelector=${fields}`, () => {});
}

let version = 0;

async function measure(target: Target, writers: readonly Connection[]): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { serverMicros } = await costOf(target.pid, () => spread(writers, WRITES, patch));
    // The first round warms up.
    if (round > 0) costs.push(serverMicros / WRITES);
  }
  return digits(middle(costs));
}

async function patch(writer: Connection, i: number): Promise<void> {
  version += 1;
  const { status } = await writer.ask({
    method: 'PATCH',
    path: `${PODS}/${objectName(i % FEW)}`,
    contentType: 'application/merge-patch+json',
    body: `{"metadata":{"labels":{"version":"${version}"}}}`,
  });
  if (status !== 200) throw new Error(`a patch was answered with ${status}`);
}
