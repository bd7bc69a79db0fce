import { describe, expect, test } from 'vitest';
import { type GenericFailureOptions, genericFailure } from './generic-failure.ts';

describe('what a bare status code stands for', () => {
  test.each([
    [400, 'BadRequest', 'the server rejected our request for an unknown reason'],
    [401, 'Unauthorized', 'the server has asked for the client to provide credentials'],
    [403, 'Forbidden', 'said'],
    [404, 'NotFound', 'the server could not find the requested resource'],
    [405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource'],
    [406, 'NotAcceptable', 'said'],
    [409, 'Conflict', 'the server reported a conflict'],
    [415, 'UnsupportedMediaType', 'said'],
    [422, 'Invalid', 'the server rejected our request due to an error in our request'],
    [429, 'TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
    [500, 'InternalError', 'an error on the server ("said") has prevented the request from succeeding'],
    [502, 'InternalError', 'an error on the server ("said") has prevented the request from succeeding'],
    [503, 'ServiceUnavailable', 'the server is currently unable to handle the request'],
    [
      504,
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ],
    [418, '', 'the server responded with the status code 418 but did not return more information'],
  ])('%i', (code, reason, message) => {
    const error = genericFailure(code, { serverMessage: 'said' });
    expect(error).toMatchObject({ message, reason, httpCode: code });
    expect(error.status.details).toEqual({});
  });

  test.each(['', 'unknown'])('406 does not repeat %j', (serverMessage) => {
    expect(genericFailure(406, { serverMessage }).message).toBe(
      'the server was unable to respond with a content type that the client supports',
    );
  });
});

describe('what was asked is part of the message', () => {
  const pods = { group: '', plural: 'pods' };
  const scale = { group: 'apps', plural: 'deployments' };

  test.each<[GenericFailureOptions, string, object]>([
    [{ method: 'GET', resource: pods, name: 'x' }, ' (get pods x)', { name: 'x', kind: 'pods' }],
    [{ method: 'DELETE', resource: scale }, ' (delete deployments.apps)', { group: 'apps', kind: 'deployments' }],
    [{ method: 'GET', name: 'x' }, '', { name: 'x' }],
  ])('%j', (options, suffix, details) => {
    const error = genericFailure(404, options);
    expect(error.message).toBe(`the server could not find the requested resource${suffix}`);
    expect(error.status.details).toEqual(details);
  });
});

test('a conflict on a create means that the object exists', () => {
  expect(genericFailure(409, { method: 'POST' }).reason).toBe('AlreadyExists');
  expect(genericFailure(409, { method: 'PUT' }).reason).toBe('Conflict');
});

test('an answer in another form is kept as a cause, with the delay it asks for', () => {
  const error = genericFailure(503, { serverMessage: 'busy', unexpected: true, retryAfterSeconds: 2 });
  expect(error.status.details).toEqual({
    causes: [{ reason: 'UnexpectedServerResponse', message: 'busy' }],
    retryAfterSeconds: 2,
  });
  expect(error.retryAfterMs).toBe(2000);
});
