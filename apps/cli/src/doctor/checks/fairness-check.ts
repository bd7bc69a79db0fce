/** Flow control: does one user take the server from the others? */

import type { FlowFacts, FlowLevelFacts, FlowUseFacts, ServerOverview } from '@listwatch/api/console';
import { CannotCheck, type Check } from '../check.ts';
import { type Finding, ok, warn } from '../finding.ts';

/** Who uses more of the event loop than this is noisy. */
const NOISY_SHARE = 0.5;

export const fairnessCheck: Check = {
  name: 'fairness',
  about: 'who uses the event loop of the server, and who waits',
  async run({ ask }) {
    const { status, bytes, isComplete } = await ask('/debug/overview');
    if (status !== 200 || !isComplete)
      throw new CannotCheck('the server has no /debug/overview that this user may read');
    return fairnessFindings(flowOf(bytes));
  },
};

function flowOf(bytes: Buffer): FlowFacts {
  const { flow }: ServerOverview = JSON.parse(bytes.toString('utf8'));
  if (flow === undefined) throw new CannotCheck('flow control is off');
  return flow;
}

/** Names the users who hold the seats that others wait for, and the one who uses most of the event loop. */
export function fairnessFindings({ levels, flows }: FlowFacts): readonly Finding[] {
  const rejected = levels.reduce((sum, level) => sum + level.rejected, 0);
  const found = [
    ...levels.filter(({ waiting }) => waiting > 0).map((level) => seatsFinding(level, flows)),
    ...flows.filter(({ loopShare }) => loopShare >= NOISY_SHARE).map(loopFinding),
  ];
  if (found.length > 0) return found;
  const refused = rejected === 0 ? '' : `; ${rejected} requests were refused since the start`;
  return [ok(`No user takes the server from others${refused}.`, { waiting: 0, rejected })];
}

/** Seats are held also by requests that wait for a webhook or a client: their user need not use the event loop. */
function seatsFinding({ name, seats, waiting, rejected }: FlowLevelFacts, flows: readonly FlowUseFacts[]): Finding {
  const [holder] = flows
    .filter(({ level, seatsInUse = 0 }) => level === name && seatsInUse > 0)
    .toSorted((left, right) => (right.seatsInUse ?? 0) - (left.seatsInUse ?? 0));
  const held = holder?.seatsInUse ?? 0;
  const wait = `${waiting} ${waiting === 1 ? 'request waits' : 'requests wait'} for a seat of the level ${name}`;
  const data = { level: name, waiting, rejected, user: holder?.distinguisher ?? '', seats: held };
  if (holder === undefined) return warn(`${wait}, which has ${seats ?? 0}.`, 'Give the level more shares.', data);
  return warn(`${nameOf(holder)} holds ${held} of ${seats ?? held} seats. ${wait}.`, ADVICE, data);
}

function loopFinding(flow: FlowUseFacts): Finding {
  const { distinguisher: user, loopShare } = flow;
  return warn(`${nameOf(flow)} uses ${Math.round(loopShare * 100)} % of the event loop.`, ADVICE, { user, loopShare });
}

const ADVICE = 'Give the user a FlowSchema with a priority level of its own, or let it list less and watch more.';

function nameOf({ distinguisher, schema, level }: FlowUseFacts): string {
  return distinguisher === '' ? `The FlowSchema ${schema} (level ${level})` : `${distinguisher} (FlowSchema ${schema})`;
}
