/** The first request: does the server answer, and is it a Kubernetes API? */

import type { Cluster } from '@listwatch/client';
import { isTransportError } from '@listwatch/client';
import { explainProbe } from './explain-probe.ts';
import { type Finding, fail } from './finding.ts';
import { documentText } from './json-path.ts';
import { type Ask, answerJson, type ProbeAnswer } from './probe.ts';

/** What `/version` says; empty texts when the server does not tell. */
export interface ServerVersion {
  readonly gitVersion: string;
  readonly major: string;
  readonly minor: string;
}

/** Either a version, or the reason why nothing else can be examined. */
export type Contact =
  | { readonly type: 'reached'; readonly version: ServerVersion; readonly answer: ProbeAnswer }
  | { readonly type: 'failed'; readonly finding: Finding };

const CHECK_ADDRESS = 'Check the address, the network and the proxy (HTTPS_PROXY) between here and the server.';
const SHOWN = 60;

/** Rejects with the signal's reason. */
export async function contactServer(cluster: Pick<Cluster, 'server'>, ask: Ask): Promise<Contact> {
  try {
    const answer = await ask('/version');
    const problem = problemOf(answer, cluster.server);
    if (problem !== undefined) return { type: 'failed', finding: problem };
    const document = answerJson(answer);
    const [gitVersion, major, minor] = ['gitVersion', 'major', 'minor'].map((name) => documentText(document, name));
    return {
      type: 'reached',
      version: { gitVersion: gitVersion ?? '', major: major ?? '', minor: minor ?? '' },
      answer,
    };
  } catch (error) {
    if (isTransportError(error)) return failed(`${explainProbe(error)}.`, connectAdvice(error.message));
    throw error;
  }
}

/** The finding for a server that accepts connections and says nothing. */
export function silent({ server }: Pick<Cluster, 'server'>, timeoutMs: number): Contact {
  return failed(`${server} does not answer GET /version within ${timeoutMs / 1000} s.`, CHECK_ADDRESS);
}

function connectAdvice(message: string): string {
  return /certificate/iu.test(message)
    ? 'Pass the CA certificate of the server with --certificate-authority, or fix the kubeconfig.'
    : CHECK_ADDRESS;
}

function failed(summary: string, advice: string): Contact {
  return { type: 'failed', finding: fail(summary, advice) };
}

/** 403 and 404 are answers of an API: some proxies and roles hide /version. */
function problemOf(answer: ProbeAnswer, server: string): Finding | undefined {
  const { status, headers, bytes, isComplete } = answer;
  if (status === 401) {
    return fail(`${server} rejects the credentials (401).`, 'Log in again, or check the user of your context.');
  }
  if (status >= 500 || status === 429) {
    return fail(
      `${server} answers GET /version with ${status}.`,
      'The server is overloaded or down; look at its logs and at /readyz?verbose.',
    );
  }
  const isApi = typeof answerJson(answer) === 'object' || (status === 404 && /json|plain/u.test(typeOf(headers)));
  if (isApi) return undefined;
  const shown = JSON.stringify(bytes.toString('utf8').slice(0, SHOWN));
  const what = isComplete ? `${status} ${typeOf(headers)} ${shown}` : `an answer without an end, ${shown}`;
  return fail(
    `${server} is not a Kubernetes API: it answers GET /version with ${what}.`,
    'This is probably a login page or a proxy. Check the address, its path and your session.',
  );
}

function typeOf(headers: Readonly<Record<string, string>>): string {
  return headers['content-type']?.split(';', 1)[0] ?? 'no content type';
}
