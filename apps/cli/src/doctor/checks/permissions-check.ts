/** Permissions: what may this user list and watch? */

import { groupResourceText, resource } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';
import { accessReviewer } from '../access-reviewer.ts';
import { countText, namesText } from '../amount-text.ts';
import { CannotCheck, type Check, type CheckContext } from '../check.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { neededRightFindings } from '../needed-rights.ts';
import { NOTHING, subjectPath } from '../subject-path.ts';
import { watchableResources } from '../watchable-resources.ts';

type Verb = 'list' | 'watch';
/** May the user do this? */
type MayI = (served: ServedResource, verb: Verb) => Promise<boolean>;
/** The same, of any resource or of all of them. */
type Reviewed = (served: Pick<ServedResource, 'group' | 'namespaced' | 'plural'>, verb: Verb) => Promise<boolean>;

const EVERYTHING = { group: '*', plural: '*', namespaced: true };
const MOST = 40;
const MOST_THOROUGH = 500;
const AT_ONCE = 4;

export const permissionsCheck: Check = {
  name: 'permissions',
  about: 'what this user may list and watch',
  async run(context) {
    const { facts, settings } = context;
    if (settings.rights !== undefined || settings.informers !== undefined) {
      return neededRightFindings(context, settings.namespace);
    }
    const { resources } = await facts.resources();
    const watchable = watchableResources(resources);
    // Where this user may look says nothing about another one.
    const isSelf = settings.serviceAccount === undefined;
    const namespace = isSelf ? await facts.namespace() : settings.namespace;
    const who = settings.serviceAccount ?? 'This user';
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    const reviews = await reviewer(context, resources, namespace);
    if (reviews === undefined && !isSelf) throw new CannotCheck('this user may not ask what a service account may do');
    if (reviews !== undefined && (await reviews(EVERYTHING, 'list')) && (await reviews(EVERYTHING, 'watch'))) {
      return [ok(`${who} may list and watch everything${where}.`, { examined: watchable.length })];
    }
    const asked = watchable.slice(0, settings.thorough ? MOST_THOROUGH : MOST);
    const mayI = reviews ?? tryingOut(context, namespace);
    const findings = permissionFindings(await permissionsOf(asked, mayI), where, who);
    if (asked.length === watchable.length) return findings;
    return [
      ...findings,
      note(`${countText(watchable.length - asked.length, 'resource')} left out.`, 'Pass --thorough.'),
    ];
  },
};

/** One resource, and what may be done with it. */
export interface Permission {
  readonly name: string;
  readonly list: boolean;
  readonly watch: boolean;
}

/** The verdict on all of them. */
export function permissionFindings(
  permissions: readonly Permission[],
  where = '',
  who = 'This user',
): readonly Finding[] {
  const none = permissions.filter(({ list, watch }) => !list && !watch);
  const half = permissions.filter(({ list, watch }) => list !== watch);
  const data = {
    examined: permissions.length,
    forbidden: none.map(({ name }) => name),
    partial: half.map(({ name }) => name),
  };
  const findings: Finding[] = [];
  if (half.length > 0) {
    const advice = 'An informer needs both verbs: add the other one to the role, or it retries for ever.';
    findings.push(warn(`${who} may list or watch${where}, but not both: ${namesText(half)}.`, advice, data));
  }
  if (permissions.length > 0 && none.length === permissions.length) {
    const advice = 'Bind a role with list and watch to this user, or choose another one (--context, --as).';
    findings.push(fail(`${who} may list and watch nothing${where}.`, advice, data));
  } else if (none.length > 0) {
    const advice = 'Informers of these need a role with list and watch, or a namespace in which the user has it.';
    findings.push(
      note(
        `${who} may neither list nor watch${where} ${countText(none.length, 'resource')} of ${permissions.length}: ${namesText(none)}.`,
        advice,
        data,
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(`${who} may list and watch all ${permissions.length} resources${where}.`, data)];
}

/** Undefined where the server's own authorizer cannot be asked. */
async function reviewer(
  context: CheckContext,
  resources: readonly ServedResource[],
  namespace: string | undefined,
): Promise<Reviewed | undefined> {
  const may = await accessReviewer(context, resources);
  return (
    may &&
    (({ group, plural, namespaced }, verb) =>
      may({
        verb,
        group,
        resource: plural,
        subresource: '',
        name: '',
        ...(namespaced && namespace !== undefined ? { namespace } : {}),
      }))
  );
}

/** Lists one, and watches nothing for a second: 401 and 403 mean no. */
function tryingOut({ ask }: CheckContext, namespace: string | undefined): MayI {
  return async (served, verb) => {
    const place = served.namespaced ? namespace : undefined;
    const subject = { resource: resource(served), namespace: place, name: groupResourceText(served) };
    const watching = { watch: 'true', resourceVersion: '0', timeoutSeconds: '1', fieldSelector: NOTHING };
    const { status } = await ask(subjectPath(subject, verb === 'list' ? { limit: '1' } : watching), { maxBytes: 0 });
    return status !== 401 && status !== 403;
  };
}

async function permissionsOf(resources: readonly ServedResource[], mayI: MayI): Promise<readonly Permission[]> {
  const permissions: Permission[] = [];
  for (let from = 0; from < resources.length; from += AT_ONCE) {
    const some = resources.slice(from, from + AT_ONCE).map(async (served) => {
      const [list, watch] = await Promise.all([mayI(served, 'list'), mayI(served, 'watch')]);
      return { name: groupResourceText(served), list, watch };
    });
    permissions.push(...(await Promise.all(some)));
  }
  return permissions;
}
