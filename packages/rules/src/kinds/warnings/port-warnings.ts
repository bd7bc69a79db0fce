/** Warnings about conflicting ports of containers. */

import { type JsonRecord, numberOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemWarnings, WARNINGS_MAX } from './item-warnings.ts';
import type { PlacedContainer } from './pod-warnings.ts';

interface PlacedPort {
  readonly place: string;
  /** The position among all ports of the Pod. */
  readonly index: number;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** The warnings about the ports of all containers of a Pod. */
export function* portWarnings(containers: readonly PlacedContainer[]): Generator<string, undefined> {
  const ports = containers.flatMap(({ container, place }) =>
    recordsOf(container['ports']).map((port, index) => ({ port, place: `${place}.ports[${index}]` })),
  );
  if (ports.length === 0) return;
  const known = new Map<string, PlacedPort[]>();
  yield* itemWarnings(ports, ({ port, place }, index) => {
    const own = { place, index, hostIP: textOf(port['hostIP']), hostPort: numberOf(port['hostPort']) };
    const others = othersOf(port, own, known);
    for (const group of groupsOf(port, own)) add(known, group, own);
    const isLoose = own.hostIP !== '' && own.hostPort === 0;
    return [
      ...(isLoose ? [`${place}: hostIP set without hostPort: ${goPort(port)}`] : []),
      ...others.map((other) => `${place}: ${conflict(own, other)} port definition with ${other.place}`),
    ];
  });
  const names = new Map<string, string>();
  yield* itemWarnings(ports, ({ port, place }) => {
    const name = textOf(port['name']);
    const other = names.get(name);
    if (name === '') return [];
    if (other === undefined) names.set(name, place);
    if (other === undefined) return [];
    const choice = `services and probes that select ports by name will use ${other}`;
    return [`${place}: duplicate port name ${JSON.stringify(name)} with ${other}, ${choice}`];
  });
}

function containerPortOf(port: JsonRecord): string {
  return `${numberOf(port['containerPort'])}/${textOf(port['protocol'])}`;
}

/** The groups of a port: by its container port, by its host port, and by its host port and address. */
function groupsOf(port: JsonRecord, { hostPort, hostIP }: PlacedPort): readonly string[] {
  const own = containerPortOf(port);
  return [own, `${own}|${hostPort}`, `${own}|${hostPort}|${hostIP}`];
}

/**
 * The earlier ports that conflict with this port. Uses the groups, because comparing all pairs of thousands of ports
 * would take seconds. A port without a host port conflicts with every port with its container port.
 */
function othersOf(
  port: JsonRecord,
  { hostPort, hostIP }: PlacedPort,
  known: ReadonlyMap<string, readonly PlacedPort[]>,
): readonly PlacedPort[] {
  const own = containerPortOf(port);
  const onHost = `${own}|${hostPort}`;
  const sameAddress = hostIP === '' ? [onHost] : [`${onHost}|${hostIP}`, `${onHost}|`];
  const groups = hostPort === 0 ? [own] : [`${own}|0`, ...sameAddress];
  return groups
    .flatMap((group) => (known.get(group) ?? []).slice(0, WARNINGS_MAX))
    .toSorted((left, right) => left.index - right.index);
}

function add(known: Map<string, PlacedPort[]>, group: string, port: PlacedPort): void {
  const ports = known.get(group);
  if (ports === undefined) known.set(group, [port]);
  else ports.push(port);
}

function conflict(port: PlacedPort, other: PlacedPort): string {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return 'duplicate';
  return port.hostPort === 0 || other.hostPort === 0 ? 'overlapping' : 'dangerously ambiguous';
}

/** As Go prints the struct. */
function goPort({ name, hostPort, containerPort, protocol, hostIP }: JsonRecord): string {
  const ports = `HostPort:${numberOf(hostPort)} ContainerPort:${numberOf(containerPort)}`;
  return `{Name:${textOf(name)} ${ports} Protocol:${textOf(protocol)} HostIP:${textOf(hostIP)}}`;
}
