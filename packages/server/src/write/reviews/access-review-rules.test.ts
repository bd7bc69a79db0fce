import { StatusError } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { type AccessReviewRules, requireValidReview } from './access-review-rules.ts';

const SELF: AccessReviewRules = { hasSubject: false, isLocal: false };
const SUBJECT: AccessReviewRules = { hasSubject: true, isLocal: false };
const LOCAL: AccessReviewRules = { hasSubject: true, isLocal: true };
const PODS = { verb: 'list', resource: 'pods' };
const HEALTH = { verb: 'get', path: '/healthz' };

function causes(rules: AccessReviewRules, spec: object, metadata: KubeObject['metadata'] = {}): readonly string[] {
  try {
    requireValidReview({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata, spec }, rules);
    return [];
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect(error.httpCode).toBe(422);
    return (error.status.details?.causes ?? []).map(({ field = '', message = '' }) => `${field}: ${message}`);
  }
}

it.each<[string, AccessReviewRules, object, KubeObject['metadata']]>([
  ['a resource', SELF, { resourceAttributes: PODS }, {}],
  ['a path', SELF, { nonResourceAttributes: HEALTH }, {}],
  ['a user', SUBJECT, { user: 'ann', resourceAttributes: PODS }, {}],
  ['groups without a user', SUBJECT, { groups: ['dev'], resourceAttributes: PODS }, {}],
  ['one namespace', LOCAL, { user: 'ann', resourceAttributes: { ...PODS, namespace: 'a' } }, { namespace: 'a' }],
  ['what managers have written', SELF, { resourceAttributes: PODS }, { managedFields: [{}] }],
])('a review of %s is valid', (_, rules, spec, metadata) => {
  expect(causes(rules, spec, metadata)).toEqual([]);
});

it.each<[AccessReviewRules, object, KubeObject['metadata'], readonly RegExp[]]>([
  [
    SELF,
    { resourceAttributes: PODS, nonResourceAttributes: HEALTH },
    {},
    [/^spec\.nonResourceAttributes: .*combination/u],
  ],
  [SELF, {}, {}, [/^spec\.resourceAttributes: .*exactly one of/u]],
  [SUBJECT, { resourceAttributes: PODS }, {}, [/^spec\.user: .*at least one of user or group/u]],
  [SELF, { resourceAttributes: PODS }, { name: 'a' }, [/^metadata: .*must be empty$/u]],
  [SELF, { resourceAttributes: PODS }, { namespace: 'a' }, [/^metadata: .*must be empty$/u]],
  [
    LOCAL,
    { user: 'ann', resourceAttributes: { ...PODS, namespace: 'b' } },
    { namespace: 'a', labels: {} },
    [
      /^metadata: .*must be empty except for namespace/u,
      /^spec\.resourceAttributes\.namespace: .*"b": must match metadata\.namespace/u,
    ],
  ],
  [
    LOCAL,
    { user: 'ann', nonResourceAttributes: HEALTH },
    { namespace: 'a' },
    [/^spec\.nonResourceAttributes: .*disallowed on this kind of request/u],
  ],
])('%j of %j with %j is refused', (rules, spec, metadata, expected) => {
  const found = causes(rules, spec, metadata);
  expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

function selected(selector: 'fieldSelector' | 'labelSelector', value: object): readonly string[] {
  return causes(SELF, { resourceAttributes: { ...PODS, [selector]: value } });
}

it.each(['fieldSelector', 'labelSelector'] as const)(
  'requirements of a %s have the values that their operator wants',
  (name) => {
    const one = (operator: string, values: readonly string[], key = 'a') =>
      selected(name, { requirements: [{ key, operator, values }] });
    expect([one('In', ['x']), one('NotIn', ['x']), one('Exists', []), one('DoesNotExist', [])]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    const at = `spec.resourceAttributes.${name}.requirements[0]`;
    for (const operator of ['In', 'NotIn'])
      expect(one(operator, [])).toEqual([expect.stringContaining(`${at}.values: Required`)]);
    for (const operator of ['Exists', 'DoesNotExist'])
      expect(one(operator, ['x'])).toEqual([expect.stringContaining(`${at}.values: Forbidden`)]);
    expect(one('Exists', [], '')[0]).toContain(`${at}.key: `);
    expect(selected(name, { rawSelector: 'a=b' })).toEqual([]);
    expect(selected(name, { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] })).toEqual([
      expect.stringContaining('rawSelector: '),
    ]);
    expect(selected(name, {})).toEqual([expect.stringContaining('requirements: Required')]);
  },
);
