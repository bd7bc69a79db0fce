import { builtInKind, type KubeObject } from '@listwatch/rules/internal';
import { describe, expect, it, vi } from 'vitest';
import type { RequestHead } from '../../../contract/dynamic-admission.ts';
import { BUILT_IN_KINDS } from '../../../kinds/built-in-definitions.fixture.ts';
import { equivalentKinds } from '../dynamic/rule-match.ts';
import { WebhookIndex } from './webhook-index.ts';

const HEAD: RequestHead = {
  operation: 'CREATE',
  definition: builtInKind('core/v1.ConfigMap'),
  subresource: '',
  namespace: 'a',
};

function hook(name: string, rule: object = {}, more: object = {}): object {
  const all = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  return { name, rules: [{ ...all, ...rule }], ...more };
}

function indexOf(...configurations: readonly (readonly [name: string, ...hooks: object[]])[]): WebhookIndex {
  const index = new WebhookIndex(
    'mutating',
    equivalentKinds(() => BUILT_IN_KINDS),
  );
  for (const [name, ...webhooks] of configurations) index.set(name, { webhooks });
  return index;
}

const names = (index: WebhookIndex, head: Partial<RequestHead> = {}): readonly string[] =>
  index.matching({ ...HEAD, ...head }).map(({ hook: { name } }) => name);

function namespace(labels: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels } };
}

describe('the webhooks of a request', () => {
  it('come in the order of their configurations and lists', () => {
    const index = indexOf(['b', hook('b1'), hook('b2')], ['a', hook('a1')]);
    expect(names(index)).toEqual(['a1', 'b1', 'b2']);
    expect(index.hooks.map((one) => one.index)).toEqual([0, 1, 2]);
  });

  it('change with their configuration at once', () => {
    const index = indexOf(['a', hook('a1')]);
    expect(names(index)).toEqual(['a1']);
    index.set('a', { webhooks: [hook('a2')] });
    expect(names(index)).toEqual(['a2']);
    index.remove('a');
    expect(names(index)).toEqual([]);
  });

  it('are compiled again only when they change themselves', () => {
    const conditions = { matchConditions: [{ name: 'c', expression: 'true' }] };
    const [first, second] = [hook('b1', {}, conditions), hook('b2', {}, conditions)];
    const index = indexOf(['b', first, second]);
    const compiled = index.hooks.map((one) => one.conditions(undefined));
    index.set('a', { webhooks: [hook('a1')] });
    index.set('b', { webhooks: [structuredClone(second), hook('b1', { operations: ['DELETE'] }, conditions)] });
    const after = index.hooks;
    expect(after.map(({ name, index: place }) => [name, place])).toEqual([
      ['a1', 0],
      ['b2', 1],
      ['b1', 2],
    ]);
    expect(after[1]?.conditions(undefined)).toBe(compiled[1]);
    expect(after[2]?.conditions(undefined)).not.toBe(compiled[0]);
  });

  it.each<[object, Partial<RequestHead>, boolean]>([
    [{ resources: ['*'] }, { subresource: 'status' }, false],
    [{ resources: ['*/*'] }, { subresource: 'status' }, true],
    [{ resources: ['*/status'] }, { subresource: 'status' }, true],
    [{ resources: ['*/status'] }, {}, false],
    [{ resources: ['configmaps/*'] }, {}, true],
    [{ resources: ['configmaps/*'] }, { subresource: 'x' }, true],
    [{ resources: ['configmaps'] }, { subresource: 'x' }, false],
    [{ operations: ['UPDATE'] }, {}, false],
    [{ apiGroups: ['apps'] }, {}, false],
    [{ apiVersions: ['v2'] }, {}, false],
    [{ scope: 'Cluster' }, {}, false],
    [{ scope: 'Cluster' }, { namespace: '' }, true],
    [{ scope: 'Namespaced' }, { namespace: '' }, false],
    [{ scope: 'Namespaced' }, {}, true],
    [{ scope: 'Cluster' }, { definition: builtInKind('core/v1.Namespace'), namespace: 'a' }, true],
  ])('with the rule %j', (rule, head, isMatched) => {
    expect(names(indexOf(['a', hook('h', rule)]), head)).toEqual(isMatched ? ['h'] : []);
  });

  it('are those whose selector takes the namespace, looked for once for each of its versions', () => {
    const blue = { namespaceSelector: { matchLabels: { team: 'blue' } } };
    const none = { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] } };
    const index = indexOf(['a', hook('all'), hook('blue', {}, blue), hook('none', {}, none)]);
    const matched = index.matching(HEAD);
    const within = (object: KubeObject | undefined): readonly string[] =>
      index.within(matched, () => object).map(({ hook: { name } }) => name);
    expect([within(namespace()), within(namespace({ team: 'blue' })), within(namespace({ team: 'red' }))]).toEqual([
      ['all', 'none'],
      ['all', 'blue'],
      ['all'],
    ]);
    expect(within(undefined)).toEqual(['all', 'blue', 'none']);
    const known = namespace({ team: 'blue' });
    expect(index.within(matched, () => known)).toBe(index.within(matched, () => known));
  });

  it('need no namespace when none of them selects one', () => {
    const index = indexOf(['a', hook('all')]);
    const namespaceOf = vi.fn(() => undefined);
    expect([index.within(index.matching(HEAD), namespaceOf).length, namespaceOf.mock.calls]).toEqual([1, []]);
  });

  it('take an object when the selector of one of them does, and their selectors are read once', () => {
    const mine = { objectSelector: { matchLabels: { mine: 'yes' } } };
    const index = indexOf(['a', hook('one', {}, mine), hook('other', {}, mine)]);
    const matched = index.matching(HEAD);
    const read = vi.spyOn(matched, 'map');
    const taken = (own: KubeObject | undefined, old?: KubeObject): boolean =>
      index.areTaken(matched, { object: own, old });
    const [labelled, plain] = [namespace({ mine: 'yes' }), namespace()];
    expect([taken(labelled), taken(plain), taken(plain, labelled), taken(undefined, labelled)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(read).toHaveBeenCalledTimes(1);
    index.set('b', { webhooks: [hook('all')] });
    expect(index.areTaken(index.matching(HEAD), { object: plain, old: undefined })).toBe(true);
  });

  it('are none for the kinds that configure admission', () => {
    const index = indexOf(['a', hook('h', { resources: ['*/*'] })]);
    const definition = builtInKind('admissionregistration/v1.ValidatingAdmissionPolicyBinding');
    expect(names(index, { definition, namespace: '' })).toEqual([]);
    expect(names(index, { definition: builtInKind('rbac/v1.ClusterRole'), namespace: '' })).toEqual(['h']);
  });

  it('match in an equivalent version unless they want the exact one', () => {
    const rule = { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] };
    const index = indexOf(['a', hook('any', rule), hook('exact', rule, { matchPolicy: 'Exact' })]);
    const [found, ...others] = index.matching({
      ...HEAD,
      definition: builtInKind('autoscaling/v2.HorizontalPodAutoscaler'),
    });
    expect([found?.hook.name, found?.definition.resource.version, others]).toEqual(['any', 'v1', []]);
  });
});
