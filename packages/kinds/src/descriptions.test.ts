import { describe, expect, it } from 'vitest';
import { describeKind } from './descriptions.ts';
import { DESCRIPTIONS } from './generated/descriptions.ts';

describe('descriptions', () => {
  it('say what the fields of a container are for', () => {
    expect(describeKind('core/v1.Container', 'image')).toBe('Image to start, such as registry.example.com/app:1.2.');
    expect(describeKind('core/v1.Container', 'nonsense')).toBeUndefined();
  });

  it('link to the page of Kubernetes for each type', () => {
    const page = 'https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#';
    expect(describeKind('core/v1.Container')).toBe(
      `Container is one program of a pod, started from an image. More info: ${page}container-v1-core`,
    );
    expect(describeKind('rbac/v1.Role')).toBe(`See ${page}role-v1-rbac-authorization-k8s-io`);
    expect(describeKind('types.NodeName')).toBeUndefined();
  });

  it('are there for at least 300 fields, each a short sentence', () => {
    const texts = Object.values(DESCRIPTIONS).flatMap((fields) => Object.entries(fields));
    expect(texts.filter(([field]) => field !== '').length).toBeGreaterThanOrEqual(300);
    expect(texts.filter(([, text]) => text.length > 200 || !text.endsWith('.')).map(([, text]) => text)).toEqual([]);
  });
});
