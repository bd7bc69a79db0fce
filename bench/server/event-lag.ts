/** How long after the answer to a write its own writer sees the event. */

import type { Connection, Protocol } from './connection.ts';
import { FrameCounter } from './frame-counter.ts';
import { configMap, configMapPath, objectName } from './objects.ts';
import { openConnection } from './open-connection.ts';
import { resourceVersion } from './resource-version.ts';
import { digits, middle, percentile99, record } from './result.ts';
import type { Target } from './target.ts';

const WRITES = 500;
/** As a controller that works on several objects at once. */
const AT_ONCE = 4;

/**
 * A client that writes and watches, as a controller does: the time from the answer to the event, and the share of the events
 * that come after it. Over HTTP/2 both are on one connection, as in client-go.
 */
export async function benchEventLag(target: Target): Promise<void> {
  for (const protocol of ['h1', 'h2'] as const) {
    for (const others of [0, AT_ONCE - 1]) await measure(target, protocol, others);
  }
}

async function measure(target: Target, protocol: Protocol, others: number): Promise<void> {
  const reader = await openConnection(target, protocol);
  const writer = protocol === 'h2' ? reader : await openConnection(target, protocol);
  const busy = await Promise.all(Array.from({ length: others }, () => openConnection(target, 'h1')));
  const over = new AbortController();
  const writing = busy.map(async (connection, i) => {
    for (let n = 0; !over.signal.aborted; n += 1) await put(connection, 1000 + i, n);
  });
  try {
    const lags = await measureLags(target, reader, writer);
    const late = lags.filter((lag) => lag > 0).length / lags.length;
    record(target, {
      bench: `event lag ${protocol}, ${others} other writers`,
      value: middle(lags),
      unit: 'ms',
      p99: digits(percentile99(lags)),
      late: digits(late),
    });
  } finally {
    over.abort();
    await Promise.all(writing);
    for (const connection of [reader, writer, ...busy]) connection.close();
  }
}

async function measureLags(target: Target, reader: Connection, writer: Connection): Promise<readonly number[]> {
  const counter = new FrameCounter();
  const from = await resourceVersion(target);
  const name = objectName(0);
  let seen = 0;
  let at = 0;
  let arrived: (() => void) | undefined;
  const path = `${configMapPath()}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3D${name}`;
  await reader.watch(path, (chunk) => {
    at = performance.now();
    seen += counter.count(chunk);
    arrived?.();
  });
  const lags: number[] = [];
  for (let i = 0; i < WRITES; i += 1) {
    const event = new Promise<void>((resolve) => {
      arrived = () => {
        if (seen > i) resolve();
      };
    });
    await put(writer, 0, i);
    const answered = performance.now();
    await event;
    lags.push(at - answered);
  }
  return lags;
}

async function put(connection: Connection, i: number, version: number): Promise<void> {
  const body = configMap(i, version + 1);
  const { status } = await connection.ask({ method: 'PUT', path: configMapPath(objectName(i)), body });
  if (status !== 200) throw new Error(`an update was answered with ${status}`);
}
