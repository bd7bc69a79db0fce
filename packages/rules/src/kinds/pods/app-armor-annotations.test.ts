import { describe, expect, it } from 'vitest';
import { pod } from '../../strategy/built-in-definitions.fixture.ts';
import { created } from '../../strategy/kind.fixture.ts';
import { APP_ARMOR_ANNOTATION } from './app-armor-annotations.ts';

const annotated = (profile: string, spec: object = {}, container: object = {}) =>
  created(
    pod,
    { spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec } },
    { annotations: { [`${APP_ARMOR_ANNOTATION}c`]: profile } },
  );
const profileIn = (object: object): unknown =>
  Reflect.get(object, 'spec').containers[0].securityContext?.appArmorProfile;

describe('the AppArmor annotation of a container', () => {
  it.each([
    ['unconfined', { type: 'Unconfined' }],
    ['runtime/default', { type: 'RuntimeDefault' }],
    ['localhost/a', { type: 'Localhost', localhostProfile: 'a' }],
    ['localhost/', undefined],
    ['else', undefined],
  ])('%s of a new Pod becomes a field, which the checks of its security read', (annotation, expected) => {
    expect(profileIn(annotated(annotation))).toEqual(expected);
  });

  it('does not replace a field, and repeats none of the Pod', () => {
    const own = { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } };
    expect(profileIn(annotated('unconfined', {}, own))).toEqual({ type: 'RuntimeDefault' });
    expect(
      profileIn(annotated('unconfined', { securityContext: { appArmorProfile: { type: 'Unconfined' } } })),
    ).toBeUndefined();
    expect(profileIn(annotated('unconfined', { os: { name: 'windows' } }))).toBeUndefined();
  });

  it('is warned of', () => {
    expect(pod.strategy.validate(annotated('unconfined'), undefined, '').warnings).toEqual([
      `metadata.annotations[${APP_ARMOR_ANNOTATION}c]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
  });
});
