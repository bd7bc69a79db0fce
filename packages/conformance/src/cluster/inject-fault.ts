/** Breaks a part of a cluster for a while, and repairs it. */

import type { ClusterProcesses } from './cluster-processes.ts';
import { type ClusterFault, type FaultStep, RELAY_FAULT_TYPES } from './fault-plan.ts';
import type { ServerProcess } from './server-process.ts';

/** What faults act on beside the processes. */
export interface FaultTargets {
  readonly processes: ClusterProcesses;
  /** Compacts the history, up to what the checks have recorded. */
  readonly compact: () => Promise<void>;
  /** Sets the clocks of the clients. */
  readonly jumpClocks: (byMs: number) => void;
  /** The version that an upgrade leads to: what Node runs `listwatch` with. */
  readonly command: readonly string[];
}

const PULSE_MS = 150;

/** Resolves when everything works again as far as the fault is concerned: processes run, ways are open. */
export async function injectFault(targets: FaultTargets, { fault, forMs }: FaultStep): Promise<void> {
  const { processes } = targets;
  switch (fault.type) {
    case 'killServer':
    case 'killRelay': {
      const server = serverOf(processes, fault);
      await server.kill();
      await pause(forMs);
      return server.start();
    }
    case 'stopServer':
    case 'stopRelay': {
      const server = serverOf(processes, fault);
      server.signal('SIGSTOP');
      await pause(forMs);
      return server.signal('SIGCONT');
    }
    case 'isolateServer':
    case 'isolateRelay':
      return whileIsolated(serverOf(processes, fault), () => pause(forMs));
    case 'compactBehind':
    case 'compactBehindRelay':
      return whileIsolated(serverOf(processes, fault), async () => {
        await pause(forMs);
        await targets.compact();
      });
    case 'stallServer':
    case 'stallRelay': {
      const { toUpstream } = serverOf(processes, fault);
      for (const proxy of toUpstream) proxy.stall();
      await pause(forMs);
      for (const proxy of toUpstream) proxy.flow();
      return;
    }
    case 'delayServer': {
      const { toUpstream } = serverOf(processes, fault);
      for (const proxy of toUpstream) proxy.delay(fault.delayMs);
      await pause(forMs);
      for (const proxy of toUpstream) proxy.delay(0);
      return;
    }
    case 'rollingRestart': {
      for (const server of processes.servers) {
        await server.terminate();
        await server.start();
      }
      return;
    }
    case 'upgrade':
      return upgrade(targets, fault, forMs);
    case 'clockJump':
      targets.jumpClocks(fault.byMs);
      return pause(forMs);
    case 'cutPeer':
    case 'delayPeer':
    case 'killEtcdLeader':
    case 'slowDisk':
      return breakEtcd(processes, fault, forMs);
  }
}

/** Between two restarts versions are mixed for a while, under load. */
async function upgrade(
  { processes: { servers }, command }: FaultTargets,
  { index, isKilled }: Extract<ClusterFault, { readonly type: 'upgrade' }>,
  forMs: number,
): Promise<void> {
  for (const server of [...servers.slice(index), ...servers.slice(0, index)]) {
    await (isKilled ? server.kill() : server.terminate());
    server.use(command);
    await server.start();
    await pause(forMs);
  }
}

async function breakEtcd(
  processes: ClusterProcesses,
  fault: Extract<ClusterFault, { readonly type: 'cutPeer' | 'delayPeer' | 'killEtcdLeader' | 'slowDisk' }>,
  forMs: number,
): Promise<void> {
  if (fault.type === 'killEtcdLeader') {
    const member = processes.members[(await processes.leader()) ?? 0];
    await member?.kill();
    await pause(forMs);
    return member?.restart();
  }
  const peer = processes.peers[fault.index];
  switch (fault.type) {
    case 'cutPeer':
      peer?.refuse();
      peer?.cut();
      await pause(forMs);
      return peer?.accept();
    case 'delayPeer':
      peer?.delay(fault.delayMs);
      await pause(forMs);
      return peer?.delay(0);
    case 'slowDisk': {
      const member = processes.members[fault.index];
      for (const end = performance.now() + forMs; performance.now() < end; ) {
        member?.signal('SIGSTOP');
        await pause(PULSE_MS);
        member?.signal('SIGCONT');
        await pause(PULSE_MS);
      }
    }
  }
}

async function whileIsolated({ toUpstream }: ServerProcess, work: () => Promise<void>): Promise<void> {
  for (const proxy of toUpstream) {
    proxy.refuse();
    proxy.cut();
  }
  await work();
  for (const proxy of toUpstream) await proxy.accept();
}

function serverOf(
  { servers, relays }: ClusterProcesses,
  { type, index }: Extract<ClusterFault, { readonly index: number }>,
): ServerProcess {
  const server = (RELAY_FAULT_TYPES.includes(type) ? relays : servers)[index];
  if (server === undefined) throw new RangeError(`${type}: there is none with the number ${index}`);
  return server;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
