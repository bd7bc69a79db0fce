import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../kube-object.ts';
import { builtInKind } from '../strategy/built-in-definitions.fixture.ts';
import { withRequestor } from './certificate-requestor.ts';

const csr = builtInKind('certificates/v1.CertificateSigningRequest');
function created({ strategy, resource }: typeof csr, fields: object): KubeObject {
  return strategy.prepareForCreate({ kind: resource.kind, apiVersion: 'v1', metadata: { name: 'a' }, ...fields }, 0);
}

const user = { name: 'ann', uid: '7', groups: ['devs'], extra: { 'example.com/scopes': ['a'] } };

describe('a new CertificateSigningRequest', () => {
  it('names the user of the request', () => {
    const object = created(csr, { spec: { signerName: 'a.b/c', username: 'root', groups: ['system:masters'] } });
    expect(withRequestor(csr, object, user)).toMatchObject({
      spec: { signerName: 'a.b/c', username: 'ann', uid: '7', groups: ['devs'], extra: user.extra },
    });
  });

  it('has no empty fields of a user that says little', () => {
    const object = created(csr, { spec: { signerName: 'a.b/c' } });
    expect(Object.keys(recordOf(withRequestor(csr, object, { name: 'ann', groups: [] })['spec']))).toEqual([
      ...Object.keys(recordOf(object['spec'])),
      'username',
    ]);
  });

  it('is the only kind that does', () => {
    const role = builtInKind('rbac/v1.Role');
    const object = created(role, {});
    expect(withRequestor(role, object, user)).toBe(object);
  });
});
