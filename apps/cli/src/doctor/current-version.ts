/** The present version of the probed collection. */

import type { CheckContext } from './check.ts';
import type { ProbedCollection } from './facts.ts';
import { documentText } from './json-path.ts';
import { answerJson } from './probe.ts';
import { subjectPath } from './subject-path.ts';

/** Lists one object for it. Throws when there is no version in the answer. */
export async function currentVersion({ ask }: Pick<CheckContext, 'ask'>, subject: ProbedCollection): Promise<string> {
  const answer = await ask(subjectPath(subject, { limit: '1' }));
  const version = documentText(answerJson(answer), 'metadata', 'resourceVersion');
  if (version === '') throw new Error(`a list of ${subject.name} is answered with ${answer.status} and no version`);
  return version;
}
