import { describe, expect, it } from 'vitest';
import { smallestRoles } from './smallest-roles.ts';
import { parseUsedRights, type UsedRight, usedRightsText } from './used-right.ts';

const pods = { group: '', resource: 'pods' };
const leases = { group: 'coordination.k8s.io', resource: 'leases' };
const rolesOf = (rights: readonly UsedRight[], paths: readonly string[] = []) =>
  smallestRoles({ rights, paths }, { name: 'web' }).map(({ kind, metadata, rules }) => [
    `${kind} ${metadata.namespace ?? ''}`.trim(),
    rules,
  ]);

describe('the smallest roles', () => {
  it('are a ClusterRole for what has no namespace and a Role for each other one', () => {
    expect(
      rolesOf([
        { verb: 'patch', ...pods, namespace: 'b', names: ['x'] },
        { verb: 'get', ...pods, namespace: 'a', names: ['x'] },
        { verb: 'get', group: '', resource: 'nodes', names: ['n'] },
      ]),
    ).toEqual([
      ['ClusterRole', [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]],
      ['Role a', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]],
      ['Role b', [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }]],
    ]);
  });

  it('allow writes everywhere of what is followed everywhere, its subresources and Events, and of nothing else', () => {
    expect(
      rolesOf([
        { verb: 'watch', ...pods },
        { verb: 'list', ...pods },
        { verb: 'patch', group: '', resource: 'pods/status', namespace: 'a', names: ['x'] },
        { verb: 'create', group: 'events.k8s.io', resource: 'events', namespace: 'a' },
        { verb: 'get', group: '', resource: 'configmaps', namespace: 'a', names: ['settings'] },
      ]),
    ).toEqual([
      [
        'ClusterRole',
        [
          { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
          { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] },
          { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
        ],
      ],
      ['Role a', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]],
    ]);
  });

  it('name Leases, but not for a create, which has no name when it is authorized', () => {
    expect(
      rolesOf([
        { verb: 'update', ...leases, namespace: 'a', names: ['web'] },
        { verb: 'create', ...leases, namespace: 'a' },
        { verb: 'get', ...leases, namespace: 'a', names: ['web'] },
      ]),
    ).toEqual([
      [
        'Role a',
        [
          {
            apiGroups: ['coordination.k8s.io'],
            resources: ['leases'],
            resourceNames: ['web'],
            verbs: ['get', 'update'],
          },
          { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
        ],
      ],
    ]);
  });

  it('name an object that is followed by its name, and none that is only read', () => {
    const secrets = { group: '', resource: 'secrets', namespace: 'a' };
    expect(
      rolesOf([
        { verb: 'list', ...secrets, names: ['key'] },
        { verb: 'watch', ...secrets, names: ['key'] },
        { verb: 'update', ...secrets, names: ['key'] },
        { verb: 'delete', ...secrets, names: ['old'] },
      ]),
    ).toEqual([
      [
        'Role a',
        [
          { apiGroups: [''], resources: ['secrets'], resourceNames: ['key'], verbs: ['list', 'watch', 'update'] },
          { apiGroups: [''], resources: ['secrets'], verbs: ['delete'] },
        ],
      ],
    ]);
  });

  it('put resources with the same verbs into one rule, and paths into one of their own', () => {
    expect(
      rolesOf(
        [
          { verb: 'list', ...pods },
          { verb: 'list', group: '', resource: 'nodes' },
        ],
        ['/metrics', '/logs/'],
      ),
    ).toEqual([
      [
        'ClusterRole',
        [
          { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] },
          { nonResourceURLs: ['/logs/', '/metrics'], verbs: ['get'] },
        ],
      ],
    ]);
  });

  it('are none where nothing was used', () => expect(rolesOf([])).toEqual([]));
});

describe('the file of used rights', () => {
  it('is read as it was written', () => {
    const used = { rights: [{ verb: 'get', ...leases, namespace: 'a', names: ['web'] }], paths: ['/metrics'] };
    expect(parseUsedRights(usedRightsText(used))).toEqual(used);
    expect(parseUsedRights(usedRightsText({ rights: [], paths: [] }))).toEqual({ rights: [], paths: [] });
  });

  it.each([
    ['', 'it is not JSON'],
    ['['.repeat(100_000), 'it is not JSON'],
    ['[]', 'it is not a record of rights of format 1'],
    ['{"formatVersion":2,"rights":[]}', 'it is not a record of rights of format 1'],
    ['{"formatVersion":1}', 'rights must be a list'],
    ['{"formatVersion":1,"rights":[],"paths":[1]}', 'paths must be a list of texts'],
    ['{"formatVersion":1,"rights":[null]}', 'rights[0]: it must be an object'],
    ['{"formatVersion":1,"rights":[{"verb":"*","group":"","resource":"pods"}]}', 'rights[0]: verb must be a verb'],
    ['{"formatVersion":1,"rights":[{"verb":"get","group":"*","resource":"pods"}]}', 'rights[0]: group must be'],
    ['{"formatVersion":1,"rights":[{"verb":"get","group":"","resource":"*"}]}', 'rights[0]: resource must be'],
    [
      '{"formatVersion":1,"rights":[{"verb":"get","group":"","resource":"pods","namespace":""}]}',
      'rights[0]: namespace must be a name',
    ],
    [
      '{"formatVersion":1,"rights":[{"verb":"get","group":"","resource":"pods","names":"a"}]}',
      'rights[0]: names must be a list',
    ],
  ])('%.80s is refused: %s', (text, message) => {
    expect(() => parseUsedRights(text)).toThrow(message);
  });
});
