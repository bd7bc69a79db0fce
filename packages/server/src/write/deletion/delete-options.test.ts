import { describe, expect, it } from 'vitest';
import { bytesField, envelope, intField } from '../../../../schema/src/protobuf/written-message.fixture.ts';
import type { ApiRequest } from '../../contract/api-request.ts';
import { parseRoute } from '../../route/parse-route.ts';
import { readDeleteOptions } from './delete-options.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const NOTHING = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagationPolicy: undefined,
  orphanDependents: undefined,
  uid: undefined,
  resourceVersion: undefined,
  ignoresReadError: false,
};

function request(query: string, body: unknown, type?: string): ApiRequest {
  const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    route: parseRoute('DELETE', { path: '', query }),
    method: 'DELETE',
    path: '',
    query,
    user: { name: 'test', groups: [] },
    protocol: 'http/1.1',
    signal: new AbortController().signal,
    throwIfAborted: () => {},
    header: () => type,
    rawHeaders: [],
    upgrade: undefined,
    liftLimits: () => {},
    body: async () => (Buffer.isBuffer(body) ? body : Buffer.from(content)),
  };
}

describe('the options of a delete', () => {
  it.each([
    ['', undefined, {}],
    [
      'gracePeriodSeconds=5&propagationPolicy=Orphan',
      undefined,
      { gracePeriodSeconds: 5, propagationPolicy: 'Orphan' },
    ],
    ['gracePeriodSeconds=-1&dryRun=All', undefined, { gracePeriodSeconds: 1, dryRun: true }],
    ['orphanDependents=', undefined, { orphanDependents: true }],
    ['gracePeriodSeconds=5', { kind: 'DeleteOptions' }, {}],
    ['', { apiVersion: 'apps/v1', kind: 'DeleteOptions', orphanDependents: false }, { orphanDependents: false }],
    ['', { preconditions: { uid: 'u', resourceVersion: '5' } }, { uid: 'u', resourceVersion: '5' }],
    ['', { gracePeriodSeconds: null, dryRun: ['All'], unknown: 1 }, { dryRun: true }],
  ])('%s %j', async (query, body, expected) => {
    expect(await readDeleteOptions(request(query, body))).toEqual({ ...NOTHING, ...expected });
  });

  it.each(['v1', 'apps/v1', ''])('can be written in protobuf, of version %s', async (version) => {
    const preconditions = bytesField(2, bytesField(1, 'u'), bytesField(2, '5'));
    const parts = [intField(1, 7), preconditions, bytesField(4, 'Orphan'), bytesField(5, 'All'), intField(6, 1)];
    const body = envelope(version, version === '' ? '' : 'DeleteOptions', Buffer.concat(parts));
    expect(await readDeleteOptions(request('', body, PROTOBUF))).toEqual({
      ...NOTHING,
      gracePeriodSeconds: 7,
      uid: 'u',
      resourceVersion: '5',
      propagationPolicy: 'Orphan',
      dryRun: true,
      ignoresReadError: true,
    });
    const old = envelope('v1', 'DeleteOptions', intField(3, 0));
    expect(await readDeleteOptions(request('', old, PROTOBUF))).toEqual({ ...NOTHING, orphanDependents: false });
  });

  it.each([
    ['that break off', envelope('v1', 'DeleteOptions', Buffer.of(0x08)), 400, 'proto: unexpected end'],
    ['of another kind', envelope('v1', 'Pod', intField(2, 1)), 400, 'no kind "Pod" is registered for version "v1"'],
    ['without their first bytes', Buffer.from('{}'), 400, 'does not appear to be a protobuf message'],
  ])('in protobuf %s are refused', async (_, body, code, message) => {
    await expect(readDeleteOptions(request('', body, PROTOBUF))).rejects.toMatchObject({
      status: { code, message: expect.stringContaining(message) },
    });
  });

  it('can be written in YAML', async () => {
    const options = await readDeleteOptions(request('', 'gracePeriodSeconds: 7', 'application/yaml'));
    expect(options.gracePeriodSeconds).toBe(7);
  });

  it.each([
    ['gracePeriodSeconds=x', undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['', '{', 400, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    [
      '',
      { apiVersion: 'v1', kind: 'Pod' },
      400,
      'no kind "Pod" is registered for version "v1" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"',
    ],
    [
      '',
      { gracePeriodSeconds: '5' },
      400,
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      '',
      { preconditions: { uid: 5 } },
      400,
      'json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID',
    ],
    [
      'dryRun=x',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
    ],
    [
      'propagationPolicy=Bogus',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Bogus": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      'propagationPolicy=Orphan&orphanDependents=true',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
  ])('%s %j is refused with %i', async (query, body, httpCode, message) => {
    await expect(readDeleteOptions(request(query, body))).rejects.toMatchObject({ httpCode, message });
  });
});
