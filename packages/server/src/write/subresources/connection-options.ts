/** The options of a connection as an object: from the query, and changed by policies and webhooks. */

import { badRequest, firstValue, parseBoolean } from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, textOf } from '@listwatch/api/values';
import { type KubeObject, virtualKind } from '@listwatch/rules/internal';
import type { KubeletStreams } from '../../contract/forwarding.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { admitConnection } from '../admission/dynamic/admit-virtual.ts';

/** The kind of a connection's options. */
export type ConnectionKind =
  | 'NodeProxyOptions'
  | 'PodAttachOptions'
  | 'PodExecOptions'
  | 'PodPortForwardOptions'
  | 'PodProxyOptions'
  | 'ServiceProxyOptions';

/** The options after admission. Throws the refusal, and the 400 for a port that is no number. */
export async function admittedOptions(
  context: VerbContext,
  call: ResourceCall,
  kind: ConnectionKind,
  own: JsonRecord,
): Promise<JsonRecord> {
  const definition = virtualKind(`core/v1.${kind}`);
  const loading = definition.load();
  if (loading !== undefined) await loading;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- options are the objects that have no metadata
  const object = { kind, apiVersion: 'v1', ...own } as unknown as KubeObject;
  return (await admitConnection(context, call, definition, () => object)) ?? object;
}

const STREAMS = ['stdin', 'stdout', 'stderr', 'tty'] as const;

/** The options of exec and attach. */
export function streamOptions({ request: { route } }: ResourceCall, hasCommand: boolean): JsonRecord {
  const streams = STREAMS.filter((name) => parseBoolean(firstValue(route.query, name)));
  const container = firstValue(route.query, 'container') ?? '';
  const command = hasCommand ? (route.query.get('command') ?? []) : [];
  return {
    ...Object.fromEntries(streams.map((name) => [name, true])),
    ...(container === '' ? {} : { container }),
    ...(command.length === 0 ? {} : { command }),
  };
}

/** The options of port-forward. Each of the ports is a number of its own, or several with commas. */
export function portOptions({ request: { route } }: ResourceCall): JsonRecord {
  const ports = (route.query.get('ports') ?? []).flatMap((value) => value.split(','));
  const wrong = ports.find((port) => !/^\d{1,5}$/u.test(port) || Number(port) > 65_535);
  if (wrong !== undefined) throw badRequest(`strconv.ParseUint: parsing ${JSON.stringify(wrong)}: invalid syntax`);
  return ports.length === 0 ? {} : { ports: ports.map(Number) };
}

/** The names that kubelets have for the streams, in the order of the names. */
const STREAM_PARAMETERS: readonly (readonly [name: string, kubelet: string])[] = [
  ['stderr', 'error'],
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['tty', 'tty'],
];

/** The query for the kubelet, from the options of exec and attach. */
export function streamQuery(options: JsonRecord): string {
  const query = new URLSearchParams();
  for (const word of listOf(options['command'])) query.append('command', textOf(word));
  for (const [name, kubelet] of STREAM_PARAMETERS) if (options[name] === true) query.append(kubelet, '1');
  return `?${query.toString()}`;
}

/** The streams that the kubelet waits for, from the options of exec and attach. A terminal has no stream of errors. */
export function kubeletStreams(options: JsonRecord): KubeletStreams {
  const has = (name: (typeof STREAMS)[number]): boolean => options[name] === true;
  const streams = (['stdin', 'stdout', 'stderr'] as const).filter(
    (name) => has(name) && !(name === 'stderr' && has('tty')),
  );
  return { type: 'command', streams: has('tty') ? [...streams, 'resize'] : streams };
}

/** The query for the kubelet, from the options of port-forward. */
export function portQuery(options: JsonRecord): string {
  const ports = listOf(options['ports']).map(numberOf);
  return ports.length === 0 ? '' : `?port=${encodeURIComponent(ports.join(','))}`;
}
