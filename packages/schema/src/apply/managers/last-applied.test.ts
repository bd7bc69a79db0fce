import { describe, expect, it } from 'vitest';
import { conflictOf, Written } from '../apply.fixture.ts';
import { metadataOf } from './managed-object.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object that `kubectl apply` has written on the client's side. */
function clientSide(apiVersion = 'x.io/v1'): Written {
  const written = new Written();
  const spec = { gmap: { a: '1', b: '1' }, replicas: 1 };
  const applied = JSON.stringify({ apiVersion, kind: 'Thing', metadata: { name: 't' }, spec });
  written.update('kubectl-client-side-apply', {
    metadata: { name: 't', annotations: { [ANNOTATION]: applied } },
    spec: { ...spec, flag: true },
  });
  return written;
}

describe('the annotation of client-side apply', () => {
  it('lets kubectl take what it had applied, and is brought up to date without being owned', () => {
    const written = clientSide();
    written.spec('kubectl', { gmap: { a: '<2>' }, replicas: 2 });
    expect(written.object['spec']).toMatchObject({ gmap: { a: '<2>' }, replicas: 2 });
    expect(written.object['metadata']).toMatchObject({
      annotations: {
        [ANNOTATION]:
          '{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"gmap":{"a":"\\u003c2\\u003e"},"replicas":2}}\n',
      },
    });
    expect(written.owned('kubectl')).not.toHaveProperty('f:metadata');
  });

  it('lets nobody else', () => {
    expect(conflictOf(clientSide().spec('other', { replicas: 2 }))).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using x.io/v1: .spec.replicas',
    );
  });

  it('leaves conflicts about all other fields, and reports only those', () => {
    expect(conflictOf(clientSide().spec('kubectl', { replicas: 2, flag: false }))).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using x.io/v1: .spec.flag',
    );
  });

  it('does not count for fields that have changed since, nor in another version', () => {
    const written = clientSide();
    const { annotations } = metadataOf(written.object);
    written.update('U', { metadata: { name: 't', annotations }, spec: { gmap: { a: '1' }, replicas: 5 } });
    expect(conflictOf(written.spec('kubectl', { replicas: 2 }))).toContain('"U" using x.io/v1: .spec.replicas');
    expect(conflictOf(clientSide('x.io/v2').spec('kubectl', { replicas: 2 }))).toContain('.spec.replicas');
  });

  it('is dropped when it makes the annotations too large', () => {
    const written = clientSide();
    written.spec('kubectl', { gmap: { a: 'x'.repeat(300_000) } });
    expect(written.object['metadata']).toMatchObject({ annotations: {} });
    expect(JSON.stringify(written.object['metadata'])).not.toContain(ANNOTATION + '":"');
  });
});
