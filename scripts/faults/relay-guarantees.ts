/** The guarantees of a relay, each with a way to break it in the code, and the tests that have to notice it. */
export interface BrokenGuarantee {
  /** Its words in docs/design/0047-relay.md. */
  readonly guarantee: string;
  /** What is wrong then. */
  readonly mistake: string;
  readonly file: string;
  /** A text that stands in the file once. */
  readonly from: string;
  readonly to: string;
  readonly test: string;
}

const RELAY = 'packages/relay/src';
const TESTS = 'packages/relay/test';

export const BROKEN_GUARANTEES: readonly BrokenGuarantee[] = [
  {
    guarantee: 'same bytes',
    mistake: 'objects are written anew, with a space in another place',
    file: `${RELAY}/feed/feed-object.ts`,
    from: 'return feedObject(parsed, bytes);',
    to: "return feedObject(parsed, Buffer.concat([bytes.subarray(0, -1), Buffer.from(' }')]));",
    test: `${TESTS}/relay.test.ts`,
  },
  {
    guarantee: 'most recent is most recent',
    mistake: 'a cache counts as current when the upstream has answered, whatever it has answered',
    file: `${RELAY}/feed/freshness.ts`,
    from: "return { type: 'waiting', revision: input.revision, until: now + WAIT_MS };",
    to: "return { type: 'proven', revision: input.before };",
    test: `${TESTS}/fresh-lies.test.ts`,
  },
  {
    guarantee: 'you read your writes',
    mistake: 'a version counts as reached before it is',
    file: 'packages/server/src/cache/feed-progress.ts',
    from: 'if (this.#revision >= revision) return true;',
    to: 'if (this.#revision > 0n) return true;',
    test: `${TESTS}/relay.test.ts`,
  },
  {
    guarantee: 'no gap, no repetition',
    mistake: 'every fifth version of an object is lost',
    file: `${RELAY}/feed/fed-cache.ts`,
    from: "if (revision < (this.revision ?? 0n) && event.type !== 'DELETED') throw contradiction(kind, key, revision);",
    to: "if (revision % 5n === 0n && event.type === 'MODIFIED') continue;",
    test: `${TESTS}/relay.test.ts`,
  },
  {
    guarantee: 'one watch a kind',
    mistake: 'a second watch goes on when nobody waits any more',
    file: `${RELAY}/feed/beat.ts`,
    from: "this.#stop?.abort(new Error('nobody waits'));",
    to: '',
    test: `${RELAY}/feed/ladder.test.ts`,
  },
  {
    guarantee: 'nothing unasked',
    mistake: 'what the upstream neither allows nor denies is allowed',
    file: `${RELAY}/access/upstream-authorizer.ts`,
    from: 'return allowed && !denied',
    to: 'return allowed || !denied',
    test: `${TESTS}/leaks.test.ts`,
  },
  {
    guarantee: 'nothing unasked',
    mistake: 'those who ask at once for different things share one answer',
    file: `${RELAY}/route/shared-passes.ts`,
    from: "return `${targetOf(request)}\\n${request.header('accept') ?? ''}`;",
    to: "return request.header('accept') ?? '';",
    test: `${TESTS}/leaks.test.ts`,
  },
  {
    guarantee: 'revocation ends watches',
    mistake: 'open watches are not asked about when rights change',
    file: `${RELAY}/access/watch-rights.ts`,
    from: "this.#open.lost('rights', EVERYBODY);",
    to: '',
    test: `${TESTS}/relay.test.ts`,
  },
  {
    guarantee: 'errors refuse',
    mistake: 'an answer that is none lets everybody in',
    file: `${RELAY}/access/upstream-authorizer.ts`,
    from: 'throw cannotAsk(cause);',
    to: "return { allowed: true, denied: false, reason: '' };",
    test: `${RELAY}/access/upstream-access.test.ts`,
  },
  {
    guarantee: 'passing is invisible',
    mistake: 'a header of the answer is left out',
    file: `${RELAY}/pass/passed-headers.ts`,
    from: "return lower === 'trailer' || !(HOP_HEADERS.has(lower) || dropped.has(lower));",
    to: "return lower !== 'x-kubernetes-pf-flowschema-uid' && lower !== 'set-cookie' && !HOP_HEADERS.has(lower);",
    test: `${TESTS}/pass-attacks.test.ts`,
  },
  {
    guarantee: 'stale says so',
    mistake: 'an answer does not say how old it is',
    file: `${RELAY}/route/relay-handler.ts`,
    from: 'return aged(response, old);',
    to: 'return response;',
    test: `${TESTS}/relay-outage.test.ts`,
  },
  {
    guarantee: 'a broken line is no relist',
    mistake: 'a line that breaks is taken for another history',
    file: `${RELAY}/feed/kind-feed.ts`,
    from: "this.#isExpired ||= output.error.code === 'WATCH_ERROR' && isExpired(output.error.cause);",
    to: 'throw output.error;',
    test: `${TESTS}/relay-outage.test.ts`,
  },
  {
    guarantee: 'a restart is no relist',
    mistake: 'a journal is read and not used',
    file: `${RELAY}/feed/kind-feed.ts`,
    from: 'if (!(await this.#fed.restore(kept, () => this.#isOver))) return;',
    to: 'if (kept !== undefined) return;',
    test: `${TESTS}/relay-restart.test.ts`,
  },
  {
    guarantee: 'a kind that ends, ends',
    mistake: 'a changed definition does not end what was cached by the one before',
    file: `${RELAY}/kinds/followed-kinds.ts`,
    from: 'if (this.#shown?.custom?.schema === state.schema) return;',
    to: 'if (this.#shown !== undefined) return;',
    test: `${TESTS}/followed-kinds.test.ts`,
  },
  {
    guarantee: 'bounded',
    mistake: 'large reads pass without a limit',
    file: `${RELAY}/route/pass-limit.ts`,
    from: 'if (passing >= MAX_AT_ONCE) {',
    to: 'if (passing >= 4000) {',
    test: `${TESTS}/pass-bound.test.ts`,
  },
  {
    guarantee: 'bounded',
    mistake: 'requests pass without a limit',
    file: `${RELAY}/pass/pass-places.ts`,
    from: 'if (taken < max && !this.#isClosed) return;',
    to: 'if (!this.#isClosed) return;',
    test: `${TESTS}/pass-attacks.test.ts`,
  },
  {
    guarantee: 'bounded',
    mistake: 'reviews are asked for without a limit',
    file: `${RELAY}/access/decision-cache.ts`,
    from: 'if (this.#running >= this.#options.maxAsked) {',
    to: 'if (this.#running >= 1e9) {',
    test: `${RELAY}/access/decision-cache.test.ts`,
  },
  {
    guarantee: 'bounded',
    mistake: 'the objects of a kind have no limit',
    file: `${RELAY}/feed/fed-cache.ts`,
    from: 'if (bytes > maxBytes)',
    to: 'if (bytes > 1e15)',
    test: `${RELAY}/feed/kind-feed.test.ts`,
  },
  {
    guarantee: 'Secrets stay out',
    mistake: 'Secrets are written to a journal that has no key',
    file: `${RELAY}/disk/relay-journals.ts`,
    from: 'if (id === SECRETS && key === undefined) {',
    to: "if (id === '' && key === undefined) {",
    test: `${TESTS}/relay-restart.test.ts`,
  },
  {
    guarantee: 'it can be left out',
    mistake: 'versions are the relay’s own',
    file: `${RELAY}/feed/fed-cache.ts`,
    from: 'const generation = await cache.loadInTurns(entries, revision, progress);',
    to: 'const generation = await cache.loadInTurns(entries, revision + 1_000_000_000n, progress);',
    test: `${TESTS}/relay.test.ts`,
  },
];
