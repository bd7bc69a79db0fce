import { describe, expect, it } from 'vitest';
import { MutatingPolicy, type MutationChange } from './mutating-policy.ts';
import { PATIENT, policyInput } from './policy-request.fixture.ts';

async function changed(expression: string): Promise<MutationChange> {
  const isPatch = expression.includes('JSONPatch');
  const mutation = isPatch
    ? { patchType: 'JSONPatch', jsonPatch: { expression } }
    : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
  return new MutatingPolicy({ mutations: [mutation] }).change(0, policyInput(), null, PATIENT);
}

describe('a mutation', () => {
  it('makes a configuration of Object types', async () => {
    const text =
      'Object{metadata: Object.metadata{labels: {"x": string(object.metadata.name)}, ?annotations: optional.none()}, spec: Object.spec{replicas: 2, items: [Object.spec.items{name: "i"}], ratio: 0.5}}';
    expect(await changed(text)).toEqual({
      type: 'apply',
      configuration: { metadata: { labels: { x: 'a' } }, spec: { replicas: 2, items: [{ name: 'i' }], ratio: 0.5 } },
    });
  });

  it('makes the operations of a JSON patch', async () => {
    const text =
      '[JSONPatch{op: "add", path: "/a/" + jsonpatch.escapeKey("x/y~z"), value: {"k": Object.spec{n: 1}}}, JSONPatch{op: "move", from: "/a", path: "/b"}]';
    expect(await changed(text)).toEqual({
      type: 'patch',
      operations: [
        { op: 'add', path: '/a/x~1y~0z', value: { k: { n: 1 } } },
        { op: 'move', from: '/a', path: '/b' },
      ],
    });
  });

  it('checks that types are named after their fields', async () => {
    expect(await changed('Object{metadata: Object.spec{labels: {"a": "b"}}}')).toEqual({
      type: 'error',
      message:
        'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type',
    });
  });

  it('reports what cannot be evaluated', async () => {
    expect(await changed('Object{data: {"x": string(object.data.nope)}}')).toEqual({
      type: 'error',
      message: `expression 'Object{data: {"x": string(object.data.nope)}}' resulted in error: no such key: nope`,
    });
  });

  it('refuses a value that grows without end', async () => {
    let text = '[JSONPatch{op: "add", path: "/x", value: b}]';
    for (let index = 0; index < 20; index++) text = `[[b, b]].map(b, ${text})[0]`;
    expect(await changed(`[["${'x'.repeat(100)}"]].map(b, ${text})[0]`)).toEqual({
      type: 'error',
      message: 'the value of the expression is larger than 3145728 bytes',
    });
  });
});
