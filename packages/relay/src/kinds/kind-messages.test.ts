import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { MessageCoverage } from '@listwatch/schema';
import { KNOWN_KINDS } from '@listwatch/server/read';
import { describe, expect, it } from 'vitest';
import { KindMessages, UnknownMessage } from './kind-messages.ts';

async function messagesOf(plural: string): Promise<KindMessages> {
  const found = KNOWN_KINDS.find(({ data }) => data.plural === plural);
  if (found === undefined) throw new RangeError(`${plural} is not known`);
  await found.load();
  return new KindMessages(found);
}

const served = (object: object, type = { kind: 'Pod', apiVersion: 'v1' }): Buffer =>
  Buffer.from(JSON.stringify({ ...type, ...object }));

describe('the protobuf of an object is known', () => {
  it.each([
    ['with members of members, and of those without a name', { spec: { volumes: [{ name: 'v', emptyDir: {} }] } }],
    ['with values that are null', { metadata: { creationTimestamp: null }, spec: { containers: null } }],
    ['with maps', { metadata: { labels: { kind: 'x', other: 'y' } } }],
    ['with managed fields', { metadata: { managedFields: [{ fieldsV1: { 'f:spec': { 'k:{"name":"a"}': {} } } }] } }],
  ])('%s', async (_, object) => {
    const messages = await messagesOf('pods');
    expect(messages.encode(served(object)).length).toBeGreaterThan(0);
    expect(messages.areKnown).toBe(true);
  });

  it.each([
    ['with a member that the schema has not', { later: 1 }],
    ['with one in a member', { spec: { later: {} } }],
    ['with one in a list', { spec: { containers: [{ name: 'a', later: true }] } }],
    ['with one that only the object itself has', { spec: { kind: 'Pod' } }],
    [
      'with characters that Go may have written otherwise',
      { metadata: { managedFields: [{ fieldsV1: { 'v:"a&b"': {} } }] } },
    ],
    ['with a value of another type', { spec: { containers: {} } }],
    ['with a number for a text', { spec: { nodeName: 7 } }],
  ])('but not %s, and then for no other object', async (_, object) => {
    const messages = await messagesOf('pods');
    expect(() => messages.encode(served(object))).toThrow(UnknownMessage);
    expect(messages.areKnown).toBe(false);
  });

  it('but not in place of bytes that are no text', async () => {
    const messages = await messagesOf('configmaps');
    const broken = String.raw`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"\ufffd"}}`;
    expect(() => messages.encode(Buffer.from(broken))).toThrow(UnknownMessage);
  });

  it('but not with JSON of others inside', async () => {
    const messages = await messagesOf('controllerrevisions');
    const type = { kind: 'ControllerRevision', apiVersion: 'apps/v1' };
    expect(messages.encode(served({ revision: 1 }, type)).length).toBeGreaterThan(0);
    expect(() => messages.encode(served({ revision: 1, data: {} }, type))).toThrow(UnknownMessage);
  });

  it('and the check finds a schema that has lost a field', async () => {
    await messagesOf('pods');
    const plan = BUILT_IN_SCHEMAS.message('core/v1.Pod');
    const pod = { metadata: { name: 'a' }, spec: { nodeName: 'n' } };
    expect(new MessageCoverage(plan).covers(pod)).toBe(true);
    for (const lost of ['metadata', 'spec']) {
      const fields = plan.fields.filter((field) => field.inline !== undefined || field.name !== lost);
      expect(new MessageCoverage({ ...plan, form: undefined, byNumber: plan.byNumber, fields }).covers(pod)).toBe(
        false,
      );
    }
  });

  it('unless the kind has bytes that JSON leaves out where they are empty', async () => {
    const kinds = ['secrets', 'nodes', 'validatingwebhookconfigurations', 'certificatesigningrequests'];
    const messages = await Promise.all(kinds.map(messagesOf));
    expect(messages.map(({ areKnown }) => areKnown)).toEqual([true, true, false, false]);
  });
});
