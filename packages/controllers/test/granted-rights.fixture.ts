/** Which rights the default roles give to the controllers: read from the roles themselves, without a server. */

import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { defaultAccess } from '@listwatch/rules/internal';

/** A right that a request has used: on a resource, or on a path. As `scripts/controller-rights.mjs` notes it. */
export interface NotedRight {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  /** `''`: in the cluster. */
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/** The rules that a user has in one namespace, or everywhere (`''`). */
interface GrantedRules {
  readonly namespace: string;
  readonly rules: readonly JsonRecord[];
}

const objects = defaultAccess().map(({ object }) => object);
const known = new Map<string, readonly GrantedRules[]>();

/** What default bindings give to a user. */
export function grantedRules(user: NotedRight['user']): readonly GrantedRules[] {
  const found = known.get(user.name) ?? objects.filter((object) => isFor(object, user)).map(granted);
  known.set(user.name, found);
  return found;
}

/** What default roles give to these users and none of the rights has used: `patch events`, by the last part of the user's name. */
export function unusedRights(lines: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const rights = lines.map((line): NotedRight => JSON.parse(line));
  const users = new Map(rights.map(({ user }) => [user.name, user]));
  return Object.fromEntries(
    [...users.values()].map((user) => {
      const own = rights.filter((right) => right.user.name === user.name);
      const unused = objects
        .filter((object) => isFor(object, user, 'themselves'))
        .flatMap((binding) => {
          const { namespace, rules } = granted(binding);
          const there = own.filter((right) => namespace === '' || right.namespace === namespace);
          return rules
            .flatMap(singleRights)
            .filter((one) => !there.some((right) => allows(one, right)))
            .map(rightText);
        });
      return [user.name.split(':').at(-1) ?? '', unused];
    }),
  );
}

/** The rights of the list, which are JSON of {@link NotedRight}, that no default role gives to their users. */
export function lackingRights(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const right: NotedRight = JSON.parse(line);
    const isMaster = right.user.groups.includes('system:masters');
    if (!isMaster && isGranted(right)) return [];
    const what = right.path ?? [right.resource, right.group].filter((part) => part !== '').join('.');
    const place = right.namespace ? ` in ${right.namespace}` : '';
    return [isMaster ? `${right.user.name} is a master` : `${right.user.name}: ${right.verb} ${what}${place}`];
  });
}

function isGranted(right: NotedRight): boolean {
  const { namespace = '' } = right;
  return grantedRules(right.user).some(
    (one) => (one.namespace === '' || one.namespace === namespace) && one.rules.some((rule) => allows(rule, right)),
  );
}

function allows(rule: JsonRecord, { verb, group = '', resource = '', name = '', path }: NotedRight): boolean {
  const has = (field: string, ...values: readonly string[]): boolean =>
    ['*', ...values].some((value) => listOf(rule[field]).includes(value));
  if (!has('verbs', verb)) return false;
  if (path !== undefined) {
    const urls = listOf(rule['nonResourceURLs']).map(textOf);
    return urls.some((url) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : path === url));
  }
  const names = listOf(rule['resourceNames']);
  const isNamed = names.length === 0 || names.includes(name);
  const everywhere = resource.includes('/') ? [`*/${resource.split('/')[1]}`] : [];
  return isNamed && has('apiGroups', group) && has('resources', resource, ...everywhere);
}

/** A rule for each verb, group and resource, or for each path. */
function singleRights({ verbs, apiGroups, resources, nonResourceURLs, ...names }: JsonRecord): readonly JsonRecord[] {
  const paths = listOf(nonResourceURLs).map((url) => ({ nonResourceURLs: [url] }));
  const places = listOf(apiGroups).flatMap((group) =>
    listOf(resources).map((resource) => ({ ...names, apiGroups: [group], resources: [resource] })),
  );
  return listOf(verbs).flatMap((verb) => [...places, ...paths].map((place) => ({ ...place, verbs: [verb] })));
}

function rightText({ verbs, apiGroups, resources, nonResourceURLs }: JsonRecord): string {
  const [verb, group, resource, path] = [verbs, apiGroups, resources, nonResourceURLs].map((list) =>
    textOf(listOf(list)[0]),
  );
  return `${verb} ${path || [resource, group].filter((part) => part !== '').join('.')}`;
}

function isFor(
  binding: JsonRecord,
  { name, groups }: NotedRight['user'],
  whom: 'themselves' | 'withGroups' = 'withGroups',
): boolean {
  return recordsOf(binding['subjects']).some((subject) => {
    const own = textOf(subject['name']);
    if (subject['kind'] === 'Group') return whom === 'withGroups' && groups.includes(own);
    return name === (subject['kind'] === 'User' ? own : `system:serviceaccount:${textOf(subject['namespace'])}:${own}`);
  });
}

function granted(binding: JsonRecord): GrantedRules {
  const { kind, name } = recordOf(binding['roleRef']);
  const namespace = textOf(recordOf(binding['metadata'])['namespace']);
  const place = kind === 'Role' ? namespace : '';
  const role = objects.find(({ kind: own, metadata }) => {
    return own === kind && metadata.name === name && (metadata.namespace ?? '') === place;
  });
  return { namespace, rules: recordsOf(role?.['rules']) };
}
