/** Flow control: does one user take the server from the others? */

import type { FlowFacts, FlowUseFacts, ServerOverview } from '@listwatch/api/console';
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
    return [fairnessFinding(flowOf(bytes))];
  },
};

function flowOf(bytes: Buffer): FlowFacts {
  const { flow }: ServerOverview = JSON.parse(bytes.toString('utf8'));
  if (flow === undefined) throw new CannotCheck('flow control is off');
  return flow;
}

/** Names the user who uses most, and whether others wait or are refused because of it. */
export function fairnessFinding({ levels, flows }: FlowFacts): Finding {
  const [first] = flows;
  const waiting = levels.reduce((sum, level) => sum + level.waiting, 0);
  const rejected = levels.reduce((sum, level) => sum + level.rejected, 0);
  const data = { waiting, rejected, user: first?.distinguisher ?? '', loopShare: first?.loopShare ?? 0 };
  if (first === undefined || (first.loopShare < NOISY_SHARE && waiting === 0)) {
    return ok(
      `No user takes the server from others${rejected === 0 ? '' : `; ${rejected} requests were refused since the start`}.`,
      data,
    );
  }
  const advice = 'Give the user a FlowSchema with a priority level of its own, or let it list less and watch more.';
  const others = waiting === 0 ? 'Nobody waits for a seat.' : `${waiting} requests wait for a seat.`;
  return warn(
    `${nameOf(first)} uses ${Math.round(first.loopShare * 100)} % of the event loop. ${others}`,
    advice,
    data,
  );
}

function nameOf({ distinguisher, schema, level }: FlowUseFacts): string {
  return distinguisher === '' ? `The FlowSchema ${schema} (level ${level})` : `${distinguisher} (FlowSchema ${schema})`;
}
