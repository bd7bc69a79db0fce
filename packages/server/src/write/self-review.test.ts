import { isStatusError, parseRequestPath } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { bytesField, envelope } from '../../../schema/src/protobuf/written-message.test-d.ts';
import { mastersAuthorizer } from '../access/authorizer.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import { parseRoute } from '../route/parse-route.ts';
import { answerSelfReview } from './self-review.ts';

const CAN_I = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const WHO_AM_I = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** What a member of system:masters is told: the status of the review, or of the failure. */
async function ask(path: string, body: string | Buffer, type?: string): Promise<unknown> {
  const parsed = parseRequestPath(path);
  if (parsed.type !== 'resource') throw new Error(`${path} is no path of a resource`);
  const request: ApiRequest = {
    route: parseRoute('POST', { path, query: '' }),
    method: 'POST',
    path,
    query: '',
    user: { name: 'ada', groups: ['system:masters'] },
    protocol: 'http/1.1',
    signal: new AbortController().signal,
    throwIfAborted: () => {},
    header: (name) => (name === 'content-type' ? type : undefined),
    body: async () => (Buffer.isBuffer(body) ? body : Buffer.from(body)),
  };
  try {
    const response = await answerSelfReview(mastersAuthorizer(), request, parsed);
    if (response?.type !== 'bytes') throw new Error('a review is answered with bytes');
    return JSON.parse(response.body.toString());
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return error.status;
  }
}

describe('a review of oneself', () => {
  it('says who asks', async () => {
    expect(await ask(WHO_AM_I, '{}')).toMatchObject({
      kind: 'SelfSubjectReview',
      status: { userInfo: { username: 'ada', groups: ['system:masters'] } },
    });
  });

  it('is read as JSON and as YAML', async () => {
    const allowed = { kind: 'SelfSubjectAccessReview', status: { allowed: true } };
    expect(await ask(CAN_I, '{"spec":{"resourceAttributes":{"verb":"list"}}}')).toMatchObject(allowed);
    expect(await ask(CAN_I, 'spec: {resourceAttributes: {verb: list}}', 'application/yaml')).toMatchObject(allowed);
  });

  it('is read as protobuf', async () => {
    const attributes = bytesField(1, bytesField(2, 'list'), bytesField(5, 'pods'));
    const canI = envelope('authorization.k8s.io/v1', 'SelfSubjectAccessReview', bytesField(2, attributes));
    expect(await ask(CAN_I, canI, PROTOBUF)).toMatchObject({
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'list', resource: 'pods' } },
      status: { allowed: true },
    });
    const whoAmI = envelope('authentication.k8s.io/v1', 'SelfSubjectReview', Buffer.alloc(0));
    expect(await ask(WHO_AM_I, whoAmI, PROTOBUF)).toMatchObject({ status: { userInfo: { username: 'ada' } } });
  });

  it('of a kind that is none, in protobuf, is 415; what breaks off or is no object is 400', async () => {
    expect(await ask(CAN_I, envelope('v1', 'Widget', Buffer.alloc(0)), PROTOBUF)).toMatchObject({
      code: 415,
      message: expect.stringContaining('use application/json'),
    });
    expect(await ask(CAN_I, 'k8s\0\n', PROTOBUF)).toMatchObject({
      code: 400,
      message: 'the object provided is unrecognized: proto: unexpected end',
    });
    expect(await ask(CAN_I, '{')).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(await ask(CAN_I, '[]')).toMatchObject({ code: 400, message: expect.stringContaining('it is no object') });
  });
});
