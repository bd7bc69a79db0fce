/** What the page is told of its login: who it acts as, and what the server can do. */

import type { ConsoleSession } from '@listwatch/api/console';
import { isRecord } from '@listwatch/api/values';
import { readShortText, type Upstream } from './console-upstream.ts';

/** What the command knows itself. */
export type KnownFacts = Pick<ConsoleSession, 'context' | 'mode' | 'serverUrl'> & {
  /** Absent: the cluster is asked. */
  readonly user?: string | undefined;
};

/** What was asked of the server. */
export type SessionFacts = Omit<ConsoleSession, 'expiresAt' | 'watchOver' | 'write'>;

/** A server that does not answer must not keep the page waiting. */
const PATIENCE_MS = 10_000;

const REVIEW = {
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
};

/** Asked once, unless the server did not answer. */
export class AskedFacts {
  readonly #upstream: Upstream;
  readonly #known: KnownFacts;
  #asked: Promise<SessionFacts> | undefined;

  constructor(upstream: Upstream, known: KnownFacts) {
    this.#upstream = upstream;
    this.#known = known;
  }

  async get(): Promise<SessionFacts> {
    this.#asked ??= askSessionFacts(this.#upstream, this.#known);
    const facts = await this.#asked;
    if (facts.serverVersion === '') this.#asked = undefined;
    return facts;
  }
}

/** Asks the server. What it does not say is empty. */
async function askSessionFacts(upstream: Upstream, { user, ...known }: KnownFacts): Promise<SessionFacts> {
  const [version, history, name] = await Promise.all([
    ask(upstream, '/version'),
    ask(upstream, '/debug/history'),
    user === undefined ? ask(upstream, REVIEW.path, REVIEW.body).then(userNameIn) : user,
  ]);
  return { ...known, serverVersion: textAt(version, 'gitVersion'), debug: isRecord(history), user: name };
}

async function ask(upstream: Upstream, path: string, body?: object): Promise<unknown> {
  try {
    const answer = await upstream({
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await readShortText(answer);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // No answer, or one that is no JSON: the page says that the server cannot be reached.
    return undefined;
  }
}

function userNameIn(review: unknown): string {
  const status = isRecord(review) ? review['status'] : undefined;
  return textAt(isRecord(status) ? status['userInfo'] : undefined, 'username');
}

function textAt(value: unknown, field: string): string {
  const text = isRecord(value) ? value[field] : undefined;
  return typeof text === 'string' ? text : '';
}
