import { forbidden, internalError, notFound, StatusError } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { failureResponse, statusErrorOf } from './failure-response.ts';

const missing = notFound({ group: '', plural: 'pods' }, 'x');

describe('a failure is written', () => {
  it('as compact JSON with a newline', () => {
    const { status, headers, body } = failureResponse(missing);
    expect([status, headers['content-type']]).toEqual([404, 'application/json']);
    expect(body.toString()).toBe(`${JSON.stringify(missing.status)}\n`);
  });

  it('indented, without a newline, for people', () => {
    const pretty = JSON.stringify(missing.status, null, 2);
    const form = { mediaType: 'application/json', pretty: true } as const;
    expect(failureResponse(missing, form).body.toString()).toBe(pretty);
  });

  it('as YAML for those who read it', () => {
    const { headers, body } = failureResponse(missing, { mediaType: 'application/yaml', pretty: false });
    expect(headers['content-type']).toBe('application/yaml');
    expect(body.toString()).toMatch(/^apiVersion: v1\ncode: 404\n/u);
  });
});

it('an error of the API stays what it is, any other tells nothing', () => {
  const error = forbidden(undefined, '', 'no');
  expect(statusErrorOf(error)).toBe(error);
  expect(statusErrorOf(new Error('secret')).status).toMatchObject({ code: 500, reason: 'InternalError' });
  expect(JSON.stringify(statusErrorOf('secret').status)).not.toContain('secret');
});

describe('a failure that cannot be written as it is', () => {
  const unforeseen = statusErrorOf(new Error('x')).status;
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;

  it.each<[string, object]>([
    ['a cycle', { code: 422, details: cyclic }],
    ['a bigint', { code: 422, details: { uid: 1n } }],
    [
      'a getter that throws',
      {
        code: 422,
        get details() {
          throw new Error('no details');
        },
      },
    ],
    ['a toJSON that returns nothing', { code: 422, toJSON: () => undefined }],
  ])('because of %s is a 500', (_, members) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status that breaks its type
    const error = withStatus(members as unknown as StatusError['status']);
    for (const mediaType of ['application/json', 'application/yaml'] as const) {
      const { status, body } = failureResponse(error, { mediaType, pretty: false });
      expect([status, body.includes(unforeseen.message ?? '-')]).toEqual([500, true]);
    }
  });

  it('because it is huge keeps its code, its reason and the beginning of its message', () => {
    const { status, body } = failureResponse(internalError('m'.repeat(5_000_000)));
    expect([status, body.length < 10_000]).toEqual([500, true]);
    expect(JSON.parse(body.toString())).toMatchObject({ kind: 'Status', code: 500, reason: 'InternalError' });
    const details = { causes: Array.from({ length: 10_000 }, () => ({ message: 'm'.repeat(1000) })) };
    const many = failureResponse(new StatusError({ ...missing.status, details }));
    expect([many.status, many.body.length < 10_000]).toEqual([404, true]);
  });

  it('because its members throw is a 500', () => {
    const hostile = new Proxy(missing, {
      get: () => {
        throw new Error('no members');
      },
    });
    expect(statusErrorOf(hostile).httpCode).toBe(500);
    expect(failureResponse(hostile).status).toBe(500);
  });
});

/** An error whose Status was replaced after it was made. */
function withStatus(status: StatusError['status']): StatusError {
  return Object.defineProperty(new StatusError(missing.status), 'status', { value: status });
}
