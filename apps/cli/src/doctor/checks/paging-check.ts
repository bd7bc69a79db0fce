/** Does the server cut lists into pages, and do the pages fit together? */

import { groupResourceText, resource } from '@listwatch/api';
import type { Check, CheckContext } from '../check.ts';
import type { ProbedCollection } from '../facts.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { documentText, listAt, valueAt } from '../json-path.ts';
import { answerJson } from '../probe.ts';
import { subjectPath } from '../subject-path.ts';
import { watchableResources } from '../watchable-resources.ts';

interface Page {
  readonly status: number;
  readonly names: readonly string[];
  readonly version: string;
  readonly token: string;
  readonly remaining: number | undefined;
}

export const pagingCheck: Check = {
  name: 'paging',
  about: 'limit, continue and remainingItemCount',
  async run(context) {
    const subject = await context.facts.subject();
    for (const one of [subject, ...(await others(context, subject))]) {
      const first = await page(context, one, { limit: '1' });
      if (first.status !== 200 && one === subject) {
        return [fail(`A list of ${one.name} with limit=1 is answered with ${first.status}.`, LIMIT_ADVICE)];
      }
      if (first.names.length > 1) {
        const summary = `The server ignores limit: limit=1 returned ${first.names.length} ${one.name}.`;
        return [warn(summary, LIMIT_ADVICE, { items: first.names.length })];
      }
      if (first.token !== '') {
        return [pagesFinding(one, first, await page(context, one, { limit: '1', continue: first.token }))];
      }
    }
    return [note(`There are fewer than two ${subject.name}, so that paging could not be seen.`, TRY_ANOTHER)];
  },
};

/** Where there are always some, for a cluster with few objects of the probed resource. */
const OTHERS = ['namespaces', 'clusterroles.rbac.authorization.k8s.io'];

async function others(
  { facts, settings }: CheckContext,
  subject: ProbedCollection,
): Promise<readonly ProbedCollection[]> {
  if (settings.resource !== undefined) return [];
  const { resources } = await facts.resources();
  return watchableResources(resources)
    .filter((served) => OTHERS.includes(groupResourceText(served)))
    .map((served) => ({ resource: resource(served), namespace: undefined, name: groupResourceText(served) }))
    .filter(({ name }) => name !== subject.name);
}

const LIMIT_ADVICE = 'Whole lists cost the server and its clients memory. A proxy may drop the query; ask without it.';
const TRY_ANOTHER = 'Pass --resource with one that has more objects.';

function pagesFinding({ name }: ProbedCollection, first: Page, second: Page): Finding {
  const data = { remainingItemCount: first.remaining ?? null, resourceVersion: first.version };
  if (second.status === 410) {
    const advice = 'Relists can never finish. Look at the compaction interval of the store (kube-apiserver: 5m).';
    return fail(`A continue token of ${name} has expired at once (410).`, advice, data);
  }
  if (second.status !== 200) {
    const advice = 'Clients cannot read long lists. Look for a proxy that limits or changes the query.';
    return fail(`The second page of ${name} is answered with ${second.status}.`, advice, data);
  }
  if (second.version !== first.version || second.names.some((one) => first.names.includes(one))) {
    const advice = 'Lists are put together from different states. Look for a cache or a load balancer between.';
    const what = second.version === first.version ? 'repeats the first' : 'is of another resourceVersion';
    return fail(`The second page of ${name} ${what}.`, advice, data);
  }
  if (first.remaining === undefined) {
    return note(`Pages of ${name} fit together, but have no remainingItemCount.`, NO_COUNT, data);
  }
  return ok(`Pages of ${name} fit together; ${first.remaining} were remaining after the first.`, data);
}

const NO_COUNT = 'Progress and sizes cannot be estimated; nothing else is affected.';

async function page(
  { ask }: CheckContext,
  subject: ProbedCollection,
  query: Readonly<Record<string, string>>,
): Promise<Page> {
  const answer = await ask(subjectPath(subject, query));
  const document = answerJson(answer);
  const remaining = valueAt(document, 'metadata', 'remainingItemCount');
  return {
    status: answer.status,
    names: listAt(document, 'items').map(
      (item) => `${documentText(item, 'metadata', 'namespace')}/${documentText(item, 'metadata', 'name')}`,
    ),
    version: documentText(document, 'metadata', 'resourceVersion'),
    token: documentText(document, 'metadata', 'continue'),
    remaining: typeof remaining === 'number' ? remaining : undefined,
  };
}
