/** Permissions: what may this user list and watch? */

import { groupResourceText, resource } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';
import { countText, namesText } from '../amount-text.ts';
import type { Check, CheckContext } from '../check.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { valueAt } from '../json-path.ts';
import { answerJson, type ProbeAnswer } from '../probe.ts';
import { NOTHING, subjectPath } from '../subject-path.ts';
import { watchableResources } from '../watchable-resources.ts';

type Verb = 'list' | 'watch';
/** May the user do this? */
type MayI = (served: ServedResource, verb: Verb) => Promise<boolean>;

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const MOST = 40;
const MOST_THOROUGH = 500;
const AT_ONCE = 4;

export const permissionsCheck: Check = {
  name: 'permissions',
  about: 'what this user may list and watch',
  async run(context) {
    const { facts, settings } = context;
    const { resources } = await facts.resources();
    const watchable = watchableResources(resources);
    const namespace = await facts.namespace();
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    const reviews = await reviewer(context, resources, namespace);
    if (reviews !== undefined && (await reviews(EVERYTHING, 'list')) && (await reviews(EVERYTHING, 'watch'))) {
      return [ok(`This user may list and watch everything${where}.`, { examined: watchable.length })];
    }
    const asked = watchable.slice(0, settings.thorough ? MOST_THOROUGH : MOST);
    const mayI = reviews ?? tryingOut(context, namespace);
    const findings = permissionFindings(await permissionsOf(asked, mayI), where);
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
export function permissionFindings(permissions: readonly Permission[], where = ''): readonly Finding[] {
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
    findings.push(warn(`This user may list or watch${where}, but not both: ${namesText(half)}.`, advice, data));
  }
  if (permissions.length > 0 && none.length === permissions.length) {
    const advice = 'Bind a role with list and watch to this user, or choose another one (--context, --as).';
    findings.push(fail(`This user may list and watch nothing${where}.`, advice, data));
  } else if (none.length > 0) {
    const advice = 'Informers of these need a role with list and watch, or a namespace in which the user has it.';
    findings.push(
      note(
        `This user may neither list nor watch${where} ${countText(none.length, 'resource')} of ${permissions.length}: ${namesText(none)}.`,
        advice,
        data,
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(`This user may list and watch all ${permissions.length} resources${where}.`, data)];
}

const EVERYTHING: ServedResource = {
  group: '*',
  version: '*',
  plural: '*',
  kind: '*',
  namespaced: true,
  singular: '',
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: [],
  isPreferred: true,
};

/** Asks the server's own authorizer; undefined where it has no such reviews, or refuses them. */
async function reviewer(
  { ask }: CheckContext,
  resources: readonly ServedResource[],
  namespace: string | undefined,
): Promise<MayI | undefined> {
  const isServed = resources.some(
    ({ group, plural }) => group === 'authorization.k8s.io' && plural === 'selfsubjectaccessreviews',
  );
  if (!isServed) return undefined;
  const review = ({ group, plural, namespaced }: ServedResource, verb: Verb): Promise<ProbeAnswer> => {
    const place = namespaced && namespace !== undefined ? { namespace } : {};
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { group, resource: plural, verb, ...place } },
    };
    return ask(REVIEWS, { method: 'POST', body });
  };
  if ((await review(EVERYTHING, 'list')).status >= 300) return undefined;
  return async (served, verb) => valueAt(answerJson(await review(served, verb)), 'status', 'allowed') === true;
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
