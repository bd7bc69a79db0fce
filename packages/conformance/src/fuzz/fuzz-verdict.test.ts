import { describe, expect, it } from 'vitest';
import type { FuzzRequest } from './fuzz-request.ts';
import { complaintAbout, type FuzzOutcome, isForeseen } from './fuzz-verdict.ts';

const GET: FuzzRequest = {
  transport: 'http/1.1',
  method: 'GET',
  target: '/',
  headers: {},
  body: undefined,
  frames: Buffer.alloc(0),
};

function complaint(outcome: Partial<FuzzOutcome>, request: Partial<FuzzRequest> = {}): string | undefined {
  const whole = { status: 200, contentType: 'application/json', body: '', cut: false, ...outcome };
  return complaintAbout({ ...GET, ...request }, whole);
}

function status(code: number, message: string): Partial<FuzzOutcome> {
  return { status: code, body: JSON.stringify({ kind: 'Status', metadata: {}, code, message }) };
}

describe('the verdict on an answer', () => {
  it('takes every success, and every refusal that is a Status', () => {
    expect(complaint({ body: 'ok' })).toBeUndefined();
    expect(complaint(status(404, 'not found'))).toBeUndefined();
    expect(complaint({ status: 404, body: '404 page not found\n' })).toBeUndefined();
    const yaml = { status: 406, contentType: 'application/yaml', body: 'kind: Status\ncode: 406\nmessage: no\n' };
    expect(complaint(yaml)).toBeUndefined();
    const contentType = 'application/vnd.kubernetes.protobuf';
    const sealed = 'k8s\0\n\u000c\n\u0002v1\u0012\u0006Status\u0012\u0007Failure';
    expect(complaint({ status: 404, contentType, body: sealed })).toBeUndefined();
    expect(complaint({ status: 404, contentType, body: sealed.replace('Status', 'Secret') })).toContain('a Status');
  });

  it('complains about a refusal that is no Status, or one of another code', () => {
    expect(complaint({ status: 404, body: 'nope' })).toContain('without a Status');
    expect(complaint({ ...status(404, 'x'), status: 400 })).toContain('without a Status');
    expect(complaint({ status: 406, contentType: 'application/yaml', body: 'kind: List\n' })).toContain(
      'without a Status',
    );
  });

  it('takes the failures that Kubernetes has as well, and complains about any other', () => {
    expect(complaint(status(504, 'Timeout: Too large resource version: 9, current: 5'))).toBeUndefined();
    expect(complaint(status(500, 'resourceVersion: Invalid value: "abc": strconv'))).toBeUndefined();
    expect(complaint(status(500, 'the server failed in a way that it did not foresee'))).toContain('did not foresee');
    expect(complaint(status(503, 'away'))).toBe('503: away');
    expect(complaint({ status: 500 }, { method: 'HEAD' })).toBeUndefined();
  });

  it('reads every whole line of a watch, and not the line that was cut off', () => {
    const line = '{"type":"ADDED","object":{}}\n';
    expect(complaint({ body: `${line}${line}{"type":"AD`, cut: true })).toBeUndefined();
    expect(complaint({ body: `${line}{"type":"ADDED","object":\n${line}` })).toContain('no JSON');
  });

  it('takes a bare 404 and 406 from OpenAPI, and nothing else', () => {
    const request = { target: '/openapi/v2' };
    expect(complaint({ status: 406 }, request)).toBeUndefined();
    expect(complaint({ status: 404 }, request)).toBeUndefined();
    expect(complaint({ status: 406, body: 'no' }, request)).toContain('without a Status');
    expect(complaint({ status: 403 }, request)).toContain('without a Status');
    expect(complaint({ status: 406 })).toContain('without a Status');
  });

  it('takes a bare refusal only from the handshake of a WebSocket', () => {
    expect(complaint({ status: 403, body: '' }, { transport: 'websocket' })).toBeUndefined();
    expect(complaint({ status: 403, body: '' })).toContain('without a Status');
  });
});

it('a definition that objects with finalizers keep for a minute is no failure of the server, any other report is', () => {
  const kept = 'could not confirm zero CustomResources remaining: timed out waiting for the condition';
  expect(isForeseen(` custom resource definitions: Error: widgets.fuzz.example.com: ${kept}\n    at x`)).toBe(true);
  expect(isForeseen(' custom resource definitions: Error: widgets.fuzz.example.com: instance not found')).toBe(false);
  expect(isForeseen(` garbage: Error: ${kept}`)).toBe(false);
});
