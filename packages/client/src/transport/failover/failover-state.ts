/** Which of several servers gets the next request: a union of states and one pure function. */

/** One server, as this client knows it. */
export type KnownServer =
  | { readonly type: 'up' }
  /** It failed; it is probed from `until` on. */
  | { readonly type: 'down'; readonly failures: number; readonly until: number }
  /** A probe is under way. */
  | { readonly type: 'probing'; readonly failures: number };

/** All servers, in the order of preference. */
export type FailoverState = readonly KnownServer[];

export type FailoverInput =
  /** It answered a request or a probe. */
  | { readonly type: 'answered'; readonly server: number }
  /** No connection, a connection that broke, or an answer that says it cannot serve. `random` is between 0 and 1. */
  | { readonly type: 'failed'; readonly server: number; readonly now: number; readonly random: number }
  /** A probe was sent. */
  | { readonly type: 'probed'; readonly server: number };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** All are taken to be up until they fail. */
export function startFailover(servers: number): FailoverState {
  return Array.from({ length: servers }, () => ({ type: 'up' }));
}

/** The state after `input`. A failure of a server that is known to be down changes nothing: its open streams break one by one. */
export function stepFailover(state: FailoverState, input: FailoverInput): FailoverState {
  const before = state[input.server];
  const after = before === undefined ? undefined : stepServer(before, input);
  if (after === undefined || after === before) return state;
  return state.with(input.server, after);
}

function stepServer(server: KnownServer, input: FailoverInput): KnownServer {
  switch (input.type) {
    case 'answered':
      return server.type === 'up' ? server : { type: 'up' };
    case 'probed':
      return server.type === 'down' ? { type: 'probing', failures: server.failures } : server;
    case 'failed': {
      if (server.type === 'down' && input.now < server.until) return server;
      const failures = server.type === 'up' ? 1 : server.failures + 1;
      return { type: 'down', failures, until: input.now + pauseMs(failures, input.random) };
    }
  }
}

/** From its base to twice its base: without the jitter all clients of a server would probe it in the same instant. */
function pauseMs(failures: number, random: number): number {
  const base = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 30));
  return base + random * base;
}

/**
 * The servers in the order in which a request tries them: those that are up, by preference; then the others, the one that is
 * probed soonest first. None is left out: a request fails only when every server has failed it.
 */
export function serversToTry(state: FailoverState): readonly number[] {
  const order = state.map((server, index) => ({ index, rank: rankOf(server) }));
  return order.toSorted((a, b) => a.rank - b.rank || a.index - b.index).map(({ index }) => index);
}

function rankOf(server: KnownServer): number {
  if (server.type === 'up') return Number.NEGATIVE_INFINITY;
  return server.type === 'probing' ? 0 : server.until;
}

/** The servers whose pause is over. */
export function serversToProbe(state: FailoverState, now: number): readonly number[] {
  return state.flatMap((server, index) => (server.type === 'down' && server.until <= now ? [index] : []));
}
