import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const apiService = builtInKind('apiregistration/v1.APIService');
const service = { name: 's', namespace: 'n' };
const spec = { group: 'a.b', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service };
const named = { name: 'v1.a.b' };

describe('an APIService', () => {
  it.each([
    [{}, ''],
    [{ service: undefined }, ''],
    [{ version: 'v2' }, 'metadata.name: Invalid value: "v1.a.b": must be `spec.version+"."+spec.group`: "v2.a.b"'],
    [{ groupPriorityMinimum: 0 }, 'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000'],
    [{ service: { name: 's' } }, 'spec.service.namespace: Required value'],
    [
      { insecureSkipTLSVerify: true, caBundle: 'YQ==' },
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
    ],
    [
      { service: undefined, caBundle: 'YQ==' },
      'spec.caBundle: Invalid value: "1 bytes": local APIServices may not have a caBundle',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(apiService, { spec: { ...spec, ...fields } }, named)).toBe(expected);
  });

  it('calls its service on the port of HTTPS', () => {
    expect(created(apiService, { spec }, named)).toMatchObject({ spec: { service: { ...service, port: 443 } } });
  });

  it('shows its service, and whether that answers', () => {
    const object = created(apiService, { spec }, named);
    expect(apiService.columns.cells(object, 0)).toEqual(['v1.a.b', 'n/s', 'Unknown', '<unknown>']);
    const status = { conditions: [{ type: 'Available', status: 'False', reason: 'ServiceNotFound' }] };
    expect(apiService.columns.cells({ ...object, status }, 0)[2]).toBe('False (ServiceNotFound)');
  });
});
