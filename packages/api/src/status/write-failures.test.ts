import { describe, expect, test } from 'vitest';
import type { Status } from './status.ts';
import type { StatusError } from './status-error.ts';
import * as failures from './write-failures.ts';

const configMaps = { group: '', plural: 'configmaps', kind: 'ConfigMap' };
const leases = { group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease' };

describe('the failures of writing, as Kubernetes words them', () => {
  test.each<[StatusError, Partial<Status>]>([
    [
      failures.bodyTooLarge(3145728),
      { code: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
    ],
    [
      failures.apiVersionMismatch('v2', 'v1'),
      {
        code: 400,
        reason: 'BadRequest',
        message: 'the API version in the data (v2) does not match the expected API version (v1)',
      },
    ],
    [
      failures.nameMismatch('zz', 'a'),
      {
        code: 400,
        reason: 'BadRequest',
        message: 'the name of the object (zz) does not match the name on the URL (a)',
      },
    ],
    [
      failures.nameMissing('a'),
      {
        code: 400,
        reason: 'BadRequest',
        message: 'the name of the object (a based on URL) was undeterminable: name must be provided',
      },
    ],
    [
      failures.namespaceMismatch(),
      {
        code: 400,
        reason: 'BadRequest',
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      },
    ],
    [failures.versionOnCreate(), { code: 500, message: 'resourceVersion should not be set on objects to be created' }],
    [
      failures.versionRequired(leases, 'x'),
      {
        code: 422,
        reason: 'Invalid',
        message:
          'Lease.coordination.k8s.io "x" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
        details: {
          name: 'x',
          group: 'coordination.k8s.io',
          kind: 'Lease',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 0: must be specified for an update',
              field: 'metadata.resourceVersion',
            },
          ],
        },
      },
    ],
    [
      failures.alreadyExistsDeleting(configMaps, 'a'),
      {
        code: 409,
        reason: 'AlreadyExists',
        message: 'object is being deleted: configmaps "a" already exists',
        details: { name: 'a', kind: 'configmaps' },
      },
    ],
    [
      failures.generateNameConflict(configMaps, 'gen-x'),
      {
        code: 409,
        reason: 'AlreadyExists',
        message: 'configmaps "gen-x" already exists, the server was not able to generate a unique name for the object',
        details: { name: 'gen-x', kind: 'configmaps', retryAfterSeconds: 1 },
      },
    ],
    [
      failures.uidPreconditionFailed(configMaps, 'a', 'x', 'y'),
      {
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (y). The object might have been deleted and then recreated',
        details: { name: 'a', kind: 'ConfigMap' },
      },
    ],
    [
      failures.versionPreconditionFailed(configMaps, 'a', '1', '2'),
      {
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified',
        details: { name: 'a', kind: 'ConfigMap' },
      },
    ],
    [
      failures.applyConflict('Apply failed with 1 conflict: x', [{ reason: 'FieldManagerConflict', field: '.data.k' }]),
      {
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: x',
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.k' }] },
      },
    ],
    [
      failures.namespaceTerminating(configMaps, 'late', 'a'),
      {
        code: 403,
        reason: 'Forbidden',
        message:
          'configmaps "late" is forbidden: unable to create new content in namespace a because it is being terminated',
        details: {
          name: 'late',
          kind: 'configmaps',
          causes: [
            { reason: 'NamespaceTerminating', message: 'namespace a is being terminated', field: 'metadata.namespace' },
          ],
        },
      },
    ],
  ])('%s', (error, status) => {
    expect(error.status).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status });
  });
});
