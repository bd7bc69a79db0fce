import { describe, expect, test } from 'vitest';
import * as failures from './failures.ts';
import { fieldForbidden, fieldInvalid } from './field-error.ts';
import type { StatusDetails } from './status.ts';
import type { StatusError } from './status-error.ts';

const pods = { group: '', plural: 'pods', kind: 'Pod' };
const deployments = { group: 'apps', plural: 'deployments', kind: 'Deployment' };

type Row = [error: StatusError, code: number, reason: string, message: string, details?: StatusDetails];

describe('each failure has the code, the reason, the message and the details of Kubernetes', () => {
  test.each<Row>([
    [failures.badRequest('what?'), 400, 'BadRequest', 'what?'],
    [failures.unauthorized(), 401, 'Unauthorized', 'Unauthorized'],
    [failures.forbidden(undefined, '', 'no'), 403, 'Forbidden', 'forbidden: no', {}],
    [failures.forbidden(pods, '', 'no'), 403, 'Forbidden', 'pods is forbidden: no', { kind: 'pods' }],
    [
      failures.forbidden(deployments, 'x', 'no', [{ reason: 'r' }]),
      403,
      'Forbidden',
      'deployments.apps "x" is forbidden: no',
      { name: 'x', group: 'apps', kind: 'deployments', causes: [{ reason: 'r' }] },
    ],
    [failures.notFound(pods, 'x'), 404, 'NotFound', 'pods "x" not found', { name: 'x', kind: 'pods' }],
    [
      failures.notFound(deployments, 'x'),
      404,
      'NotFound',
      'deployments.apps "x" not found',
      { name: 'x', group: 'apps', kind: 'deployments' },
    ],
    [
      failures.methodNotAllowed(pods, 'watch'),
      405,
      'MethodNotAllowed',
      'watch is not supported on resources of kind "pods"',
      { kind: 'pods' },
    ],
    [
      failures.notAcceptable(['application/json', 'application/yaml']),
      406,
      'NotAcceptable',
      'only the following media types are accepted: application/json, application/yaml',
    ],
    [failures.alreadyExists(pods, 'x'), 409, 'AlreadyExists', 'pods "x" already exists', { name: 'x', kind: 'pods' }],
    [
      failures.conflict(pods, 'x'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on pods "x": the object has been modified; please apply your changes to the latest version and try again',
      { name: 'x', kind: 'pods' },
    ],
    [
      failures.conflict(deployments, 'x', 'busy'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "x": busy',
      { name: 'x', group: 'apps', kind: 'deployments' },
    ],
    [failures.gone('gone'), 410, 'Gone', 'gone'],
    [failures.expired('old'), 410, 'Expired', 'old'],
    [
      failures.requestEntityTooLarge('limit is 5'),
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 5',
    ],
    [
      failures.unsupportedMediaType(['application/json']),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json',
    ],
    [failures.tooManyRequests('later'), 429, 'TooManyRequests', 'later', {}],
    [failures.tooManyRequests('later', 3), 429, 'TooManyRequests', 'later', { retryAfterSeconds: 3 }],
    [
      failures.internalError('oops'),
      500,
      'InternalError',
      'Internal error occurred: oops',
      { causes: [{ message: 'oops' }] },
    ],
    [failures.unknownError('oops'), 500, '', 'oops'],
    [
      failures.serverTimeout(pods, 'list'),
      500,
      'ServerTimeout',
      'The list operation against pods could not be completed at this time, please try again.',
      { name: 'list', kind: 'pods', retryAfterSeconds: 2 },
    ],
    [failures.serviceUnavailable('down'), 503, 'ServiceUnavailable', 'down'],
    [failures.timeout('slow'), 504, 'Timeout', 'Timeout: slow', {}],
    [failures.timeout('slow', 1), 504, 'Timeout', 'Timeout: slow', { retryAfterSeconds: 1 }],
  ])('%s', (error, code, reason, message, details) => {
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    });
  });
});

describe('invalid objects', () => {
  const name = fieldInvalid('metadata.name', 'A', 'bad');
  const force = fieldForbidden('force', 'no');

  test('one complaint stands in the message and in a cause', () => {
    expect(failures.invalid(pods, 'A', [name]).status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'Pod "A" is invalid: metadata.name: Invalid value: "A": bad',
      details: {
        name: 'A',
        kind: 'Pod',
        causes: [{ reason: 'FieldValueInvalid', message: 'Invalid value: "A": bad', field: 'metadata.name' }],
      },
    });
  });

  test('several stand between brackets, each with a cause of its own', () => {
    const { status } = failures.invalid(deployments, 'A', [name, force]);
    expect(status.message).toBe(
      'Deployment.apps "A" is invalid: [metadata.name: Invalid value: "A": bad, force: Forbidden: no]',
    );
    expect(status.details?.causes).toHaveLength(2);
  });

  test('the same complaint twice has two causes and one text', () => {
    const { status } = failures.invalid(pods, '', [force, force]);
    expect(status.message).toBe('Pod "" is invalid: force: Forbidden: no');
    expect(status.details?.causes).toHaveLength(2);
  });

  test('without complaints the message says no more', () => {
    expect(failures.invalid({ group: '', kind: '' }, '', []).message).toBe(' "" is invalid');
  });
});

test('an expired token comes with a fresh one', () => {
  expect(failures.expired('old', 'fresh').status.metadata).toEqual({ continue: 'fresh' });
});
