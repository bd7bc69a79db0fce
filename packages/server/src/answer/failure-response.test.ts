import { forbidden, notFound } from '@listwatch/api';
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
