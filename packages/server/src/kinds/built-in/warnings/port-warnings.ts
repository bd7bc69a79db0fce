/** Warnings about ports of containers that stand in each other's way. */

import { type JsonRecord, numberOf, recordsOf, textOf } from '../../json/json-value.ts';
import type { PlacedContainer } from './pod-warnings.ts';

interface PlacedPort {
  readonly place: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** About the ports of all containers of a Pod. */
export function* portWarnings(containers: readonly PlacedContainer[]): Generator<string, undefined> {
  const known = new Map<string, PlacedPort[]>();
  for (const { port, place } of portsOf(containers)) {
    const [hostIP, hostPort] = [textOf(port['hostIP']), numberOf(port['hostPort'])];
    if (hostIP !== '' && hostPort === 0) yield `${place}: hostIP set without hostPort: ${goPort(port)}`;
    const key = `${numberOf(port['containerPort'])}/${textOf(port['protocol'])}`;
    const others = known.get(key) ?? [];
    for (const other of others) {
      const how = conflict({ hostIP, hostPort }, other);
      if (how !== undefined) yield `${place}: ${how} port definition with ${other.place}`;
    }
    known.set(key, others);
    others.push({ place, hostIP, hostPort });
  }
  const names = new Map<string, string>();
  for (const { port, place } of portsOf(containers)) {
    const name = textOf(port['name']);
    const other = names.get(name);
    if (name === '') continue;
    if (other === undefined) names.set(name, place);
    else {
      const choice = `services and probes that select ports by name will use ${other}`;
      yield `${place}: duplicate port name ${JSON.stringify(name)} with ${other}, ${choice}`;
    }
  }
}

function* portsOf(
  containers: readonly PlacedContainer[],
): Generator<{ readonly port: JsonRecord; readonly place: string }, undefined> {
  for (const { container, place } of containers) {
    for (const [index, port] of recordsOf(container['ports']).entries())
      yield { port, place: `${place}.ports[${index}]` };
  }
}

function conflict(port: Omit<PlacedPort, 'place'>, other: PlacedPort): string | undefined {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const isOneOpen = (port.hostIP === '') !== (other.hostIP === '');
  return port.hostPort === other.hostPort && isOneOpen ? 'dangerously ambiguous' : undefined;
}

/** As Go prints the struct. */
function goPort({ name, hostPort, containerPort, protocol, hostIP }: JsonRecord): string {
  const ports = `HostPort:${numberOf(hostPort)} ContainerPort:${numberOf(containerPort)}`;
  return `{Name:${textOf(name)} ${ports} Protocol:${textOf(protocol)} HostIP:${textOf(hostIP)}}`;
}
