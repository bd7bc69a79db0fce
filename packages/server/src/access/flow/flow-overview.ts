/** Flow control as the overview of the server shows it. */

import type { FlowFacts, FlowUseFacts } from '@listwatch/api/console';
import type { Flow } from './flow.ts';
import type { FlowControl } from './flow-control.ts';
import type { PriorityLevel } from './priority-level.ts';

const FLOWS_SHOWN = 20;
/** Of these, the ones that hold the most seats: they may wait for something else, and use nothing of the event loop. */
const HOLDERS_SHOWN = 5;

/** Levels by name; flows by what they use of the event loop. */
export function flowOverview(control: FlowControl): FlowFacts {
  control.refresh();
  const loopNow = control.gate.now();
  const levels = [...control.levels].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const flows = levels.flatMap((level) => flowsOf(control, level, loopNow));
  return {
    levels: levels.map((level) => ({
      name: level.name,
      seats: level.config.isExempt ? null : level.seats.limit,
      seatsInUse: level.seats.inUse,
      waiting: level.seats.waiting,
      rejected: level.rejected,
      loopShare: rounded(level.loop.use.share(loopNow)),
    })),
    flows: shownFlows(flows),
  };
}

function shownFlows(flows: readonly ShownFlow[]): readonly FlowUseFacts[] {
  const holders = flows.toSorted((left, right) => right.seatsInUse - left.seatsInUse).slice(0, HOLDERS_SHOWN);
  const users = flows.toSorted((left, right) => right.loopShare - left.loopShare || right.waiting - left.waiting);
  const shown = new Set([...users.slice(0, FLOWS_SHOWN - HOLDERS_SHOWN), ...holders]);
  return users.filter((flow) => shown.has(flow));
}

type ShownFlow = FlowUseFacts & { readonly seatsInUse: number };

function flowsOf(control: FlowControl, level: PriorityLevel, loopNow: number): readonly ShownFlow[] {
  const now = control.now();
  const oldest = new Map<Flow, number>();
  for (const { request } of level.seats.requests()) {
    if (request.state !== 'waiting') continue;
    oldest.set(request.flow, Math.max(oldest.get(request.flow) ?? 0, now - request.arrivedAt));
  }
  return [...level.flows].flatMap((flow) => {
    const loopShare = rounded(flow.loop.use.share(loopNow));
    if (flow.isIdle && loopShare === 0) return [];
    const { schema, distinguisher, executing, seats: seatsInUse, waiting, waitsSince } = flow;
    const waits = Math.max(oldest.get(flow) ?? -1, waitsSince === undefined ? -1 : loopNow - waitsSince);
    const waitingSeconds = waits < 0 ? null : waits / 1000;
    return [{ level: level.name, schema, distinguisher, loopShare, executing, seatsInUse, waiting, waitingSeconds }];
  });
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
