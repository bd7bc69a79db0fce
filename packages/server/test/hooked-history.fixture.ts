/** What happened while webhooks misbehaved, and what must be true of it. */

/** One answer of a webhook that must be heeded. */
export interface HookDecision {
  readonly hook: string;
  /** What the write is known by: each has its own. */
  readonly write: string;
  readonly verdict: 'allowed' | 'failed' | 'refused';
}

/** A run. */
export interface HookedHistory {
  /** The webhooks with the failure policy Fail. */
  readonly hooks: readonly string[];
  /** In their order. */
  readonly decisions: readonly HookDecision[];
  /** The writes that were committed, in their order, each time. */
  readonly committed: readonly string[];
  /** The writes that were answered with success. */
  readonly answered: readonly string[];
  /** New objects that were committed, and what their quota was charged. */
  readonly created: number;
  readonly charged: number;
  /** New objects whose writes were not answered, because a server was ended: each may be charged and not stored. */
  readonly unanswered: number;
}

/** Everything that is wrong with a run. */
export function violations(history: HookedHistory): readonly string[] {
  const { hooks, decisions, committed, answered, created, charged, unanswered } = history;
  const wrong: string[] = [];
  const last = new Map<string, HookDecision['verdict']>();
  for (const { hook, write, verdict } of decisions) last.set(`${hook} ${write}`, verdict);
  for (const write of new Set(committed)) {
    for (const hook of hooks) {
      const verdict = last.get(`${hook} ${write}`);
      if (verdict !== 'allowed') wrong.push(`${write} is stored, and ${hook} has ${verdict ?? 'not been asked'}`);
    }
    const times = committed.filter((other) => other === write).length;
    if (times > 1) wrong.push(`${write} is stored ${times} times`);
  }
  for (const write of answered) if (!committed.includes(write)) wrong.push(`${write} is answered and not stored`);
  const isRight = charged >= created && charged <= created + unanswered;
  if (!isRight) wrong.push(`${created} objects were charged as ${charged}, and ${unanswered} were not answered`);
  return wrong;
}
