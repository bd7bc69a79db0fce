/** The rights that a program needs, compared with those that a user has. */

import { groupResourceText } from '@listwatch/api';
import type { UsedRight, UsedRights } from '@listwatch/runtime/manager';
import { findResource } from '../discovery/find-resource.ts';
import { type AccessQuestion, accessReviewer, type MayUser } from './access-reviewer.ts';
import { countText, namesText } from './amount-text.ts';
import { CannotCheck, type CheckContext } from './check.ts';
import { type Finding, fail, ok } from './finding.ts';

/** A program that writes in thousands of namespaces is not asked about in all of them. */
const MOST = 500;
const AT_ONCE = 4;

/** Says which rights are missing. Throws `CannotCheck` where the server cannot be asked. */
export async function neededRightFindings(
  context: CheckContext,
  namespace: string | undefined,
): Promise<readonly Finding[]> {
  const { resources } = await context.facts.resources();
  const may = await accessReviewer(context, resources);
  if (may === undefined) throw new CannotCheck('this user may not ask the server what a user may do');
  const { rights = NONE, informers = [] } = context.settings;
  const needed = [...questionsOf(rights), ...(await informerQuestions(context, informers, namespace))];
  const asked = needed.slice(0, MOST);
  const who = context.settings.serviceAccount ?? 'This user';
  const lacking = await refused(asked, may);
  const data = { examined: asked.length, lacking };
  const leftOut = needed.length > MOST ? `, ${countText(needed.length - MOST, 'right')} left out` : '';
  if (lacking.length === 0)
    return [ok(`${who} has all ${countText(asked.length, 'right')} that are needed${leftOut}.`, data)];
  return [
    fail(
      `${who} lacks ${countText(lacking.length, 'right')} of ${asked.length}${leftOut}: ${namesText(lacking.map((name) => ({ name })))}.`,
      'Add them to a role of this user: listwatch rbac --from FILE prints the smallest one.',
      data,
    ),
  ];
}

const NONE: UsedRights = { rights: [], paths: [] };

function questionsOf({ rights, paths }: UsedRights): readonly AccessQuestion[] {
  const ofRights = rights.flatMap((right) => namesOf(right).map((name) => questionOf(right, name)));
  return [...ofRights, ...paths.map((path) => ({ verb: 'get', path }))];
}

/** A right by name may be granted for that name only; a create is authorized without one. */
function namesOf({ verb, names }: UsedRight): readonly string[] {
  return names === undefined || verb === 'create' ? [''] : names;
}

function questionOf({ verb, group, resource, namespace }: UsedRight, name: string): AccessQuestion {
  const [plural = '', subresource = ''] = resource.split('/', 2);
  return { verb, group, resource: plural, subresource, namespace, name };
}

async function informerQuestions(
  { facts }: CheckContext,
  informers: readonly string[],
  namespace: string | undefined,
): Promise<readonly AccessQuestion[]> {
  const { resources, failures } = await facts.resources();
  return informers.flatMap((text) => {
    const found = findResource(text, resources, failures);
    if (found.type === 'unknown') throw new CannotCheck(found.message);
    const { group, plural, namespaced } = found.served;
    const place = namespaced ? { namespace } : {};
    return ['list', 'watch'].map((verb) => ({ verb, group, resource: plural, subresource: '', name: '', ...place }));
  });
}

async function refused(asked: readonly AccessQuestion[], may: MayUser): Promise<readonly string[]> {
  const lacking = new Set<string>();
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE);
    const answers = await Promise.all(some.map((question) => may(question)));
    for (const [index, question] of some.entries()) if (answers[index] !== true) lacking.add(textOf(question));
  }
  return [...lacking];
}

function textOf(question: AccessQuestion): string {
  if ('path' in question) return `get ${question.path}`;
  const { verb, group, resource, subresource, namespace } = question;
  const what = groupResourceText({ group, plural: subresource === '' ? resource : `${resource}/${subresource}` });
  return `${verb} ${what}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
