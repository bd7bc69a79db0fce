/** resourceVersion: does the server keep its promises about how new an answer is? */

import type { Check, CheckContext } from '../check.ts';
import type { ProbedCollection } from '../facts.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { documentText } from '../json-path.ts';
import { answerJson } from '../probe.ts';
import { NOTHING, subjectPath } from '../subject-path.ts';

/** Far enough ahead that no cluster gets there during the check. */
const AHEAD = 1_000_000_000n;
const STATE_ADVICE =
  'Clients may go back in time and miss deletes. Look for a cache, or a load balancer over servers with different stores.';

export const versionsCheck: Check = {
  name: 'versions',
  about: 'resourceVersion 0, exact, not older than, too large, and illegal ones',
  async run(context) {
    const subject = await context.facts.subject();
    const { status, version } = await list(context, subject, {});
    if (status !== 200 || !/^\d+$/u.test(version)) {
      const summary = `A list of ${subject.name} is answered with ${status} and the resourceVersion ${JSON.stringify(version)}.`;
      return [fail(summary, 'Versions must be whole numbers; informers cannot follow this server.')];
    }
    const findings: (Finding | undefined)[] = [];
    for (const probe of PROBES) findings.push(await probe(context, subject, BigInt(version)));
    const problems = findings.filter((finding) => finding !== undefined);
    const data = { resourceVersion: version };
    return problems.length > 0
      ? problems
      : [ok('Lists at 0, at an exact version, not older than one and too new behave as they must.', data)];
  },
};

type Probe = (context: CheckContext, subject: ProbedCollection, current: bigint) => Promise<Finding | undefined>;

const PROBES: readonly Probe[] = [
  async (context, subject) => {
    const { status } = await list(context, subject, { resourceVersion: '0' });
    if (status === 200) return undefined;
    return fail(`A list at resourceVersion=0 is answered with ${status}.`, 'Informers start with this list.');
  },
  async (context, subject, current) => {
    const asked = String(current);
    const { status, version } = await list(context, subject, {
      resourceVersion: asked,
      resourceVersionMatch: 'Exact',
    });
    if (status === 200 && version === asked) return undefined;
    const got = status === 200 ? `with version ${version}` : `with ${status}`;
    return warn(`An exact list at version ${asked}, which is some seconds old, is answered ${got}.`, STATE_ADVICE);
  },
  async (context, subject, current) => {
    const query = { resourceVersion: String(current), resourceVersionMatch: 'NotOlderThan' };
    const { status, version } = await list(context, subject, query);
    if (status === 200 && /^\d+$/u.test(version) && BigInt(version) >= current) return undefined;
    const got = status === 200 ? `with version ${version}` : `with ${status}`;
    return fail(`A list not older than version ${current} is answered ${got}.`, STATE_ADVICE);
  },
  async (context, subject, current) => {
    const query = { resourceVersion: String(current + AHEAD), resourceVersionMatch: 'NotOlderThan' };
    const { status } = await list(context, subject, query);
    if (status === 504) return undefined;
    if (status === 200) {
      return warn(
        'A list not older than a version of the far future is answered with 200 instead of 504.',
        STATE_ADVICE,
      );
    }
    return note(
      `A list of a version of the far future is answered with ${status} instead of 504.`,
      'Informers relist after it.',
    );
  },
  async (context, subject) => {
    const bad = [{ resourceVersionMatch: 'Exact' }, { resourceVersion: 'none' }];
    const answers = await Promise.all(bad.map((query) => list(context, subject, query)));
    const statuses = answers.map(({ status }) => status);
    if (statuses.every((status) => status === 400 || status === 422)) return undefined;
    const advice = 'The server is old, or something between drops the query: a wrong request is not noticed.';
    return note(
      `Illegal combinations of resourceVersion are answered with ${statuses.join(' and ')} instead of 400 or 422.`,
      advice,
    );
  },
];

async function list(
  { ask }: CheckContext,
  subject: ProbedCollection,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly version: string }> {
  // The selector keeps it cheap: a list at 0 has no pages.
  const answer = await ask(subjectPath(subject, { fieldSelector: NOTHING, ...query }));
  return { status: answer.status, version: documentText(answerJson(answer), 'metadata', 'resourceVersion') };
}
