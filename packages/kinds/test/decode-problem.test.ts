import { DecodePlans, decodeProblem, type TypeName } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../src/load-schemas.ts';

const plans = new DecodePlans(await loadSchemas());

function problem(type: TypeName, document: unknown): string | undefined {
  return decodeProblem(plans.struct(type), document);
}

describe('decodeProblem', () => {
  it.each([
    [
      'data that is no map',
      { data: 'x' },
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      'a number in data',
      { data: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'a number as a label',
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a truth as a name',
      { metadata: { name: true } },
      'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.name of type string',
    ],
    [
      'metadata that is a list',
      { metadata: [] },
      'json: cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      'a day that is no time',
      { metadata: { creationTimestamp: 'yesterday' } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      'a number as a time',
      { metadata: { creationTimestamp: 5 } },
      'json: cannot unmarshal number into Go value of type string',
    ],
    ['binary data that is no base64', { binaryData: { a: '!' } }, 'illegal base64 data at input byte 0'],
    [
      'the first of two problems',
      { data: { a: 1 }, immutable: 'x' },
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
  ])('finds %s', (_, document, expected) => {
    expect(problem('core/v1.ConfigMap', document)).toBe(expected);
  });

  it.each([
    [
      'a fraction',
      { spec: { priority: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
    ],
    [
      'a number too large',
      { spec: { priority: 2 ** 31 } },
      'json: cannot unmarshal number 2147483648 into Go struct field PodSpec.spec.priority of type int32',
    ],
    [
      'a wrong type in a list',
      { spec: { containers: [{ name: 5 }] } },
      'json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string',
    ],
    [
      'an object for a list',
      { spec: { containers: {} } },
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'an amount that is none',
      { spec: { containers: [{ resources: { limits: { cpu: 'lots' } } }] } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'a truth as a port',
      { spec: { containers: [{ livenessProbe: { tcpSocket: { port: true } } }] } },
      'json: cannot unmarshal bool into Go value of type int32',
    ],
  ])('finds %s in a pod', (_, document, expected) => {
    expect(problem('core/v1.Pod', document)).toBe(expected);
  });

  it('takes what a pod has been given by its claims as amounts by name', () => {
    const claim = { resourceClaimName: 'a', resources: { 'example.com/gpu': '1' } };
    expect(problem('core/v1.Pod', { status: { nodeAllocatableResourceClaimStatuses: [claim] } })).toBeUndefined();
  });

  it.each([
    ['nulls anywhere', { metadata: null, data: null, immutable: null }],
    ['unknown fields of any type', { bogus: { x: [1] }, metadata: { bogus: 1 } }],
    ['times with an offset', { metadata: { creationTimestamp: '2024-01-01T00:00:00+02:00' } }],
    ['base64 with line breaks', { binaryData: { a: 'YWJj\nZGVm', b: '', c: 'Yg==' } }],
  ])('takes %s', (_, document) => {
    expect(problem('core/v1.ConfigMap', document)).toBeUndefined();
  });

  it('takes amounts as numbers and as text', () => {
    const amounts = ['1', '500m', '1Gi', '1.5', '2e3', '-1', 2];
    const containers = amounts.map((cpu) => ({ resources: { requests: { cpu } } }));
    expect(problem('core/v1.Pod', { spec: { containers } })).toBeUndefined();
  });

  it.each([
    ['Yg', 0],
    ['Yg=', 3],
    ['Yg=x', 3],
    ['Yg==x', 4],
    ['=', 0],
    ['YWJj!', 4],
    ['YWJjY', 4],
  ])('says where the base64 of %s ends', (text, byte) => {
    expect(problem('core/v1.Secret', { data: { a: text } })).toBe(`illegal base64 data at input byte ${byte}`);
  });

  it.each([
    ['2024-01-01T00:00:00.123456Z', undefined],
    ['2024-01-01T00:00:00.123456+02:00', undefined],
    ['2024-01-01T00:00:00.123Z', 'cannot parse ".123Z" as ".000000"'],
    ['2024-01-01T00:00:00Z', 'cannot parse "Z" as ".000000"'],
    ['2024-01-01', 'cannot parse "2024-01-01" as "2006"'],
  ])('demands the microseconds of %s', (renewTime, expected) => {
    const found = problem('coordination/v1.Lease', { spec: { renewTime } });
    expect(found).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });

  it('refuses a document that is no object', () => {
    expect(problem('core/v1.ConfigMap', [])).toBe('json: cannot unmarshal array into Go value of type v1.ConfigMap');
  });

  it.each<[TypeName, unknown, string]>([
    [
      'core/v1.Pod',
      { status: { phase: 1 } },
      'json: cannot unmarshal number into Go struct field PodStatus.status.phase of type v1.PodPhase',
    ],
    [
      'core/v1.Pod',
      { metadata: { uid: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.uid of type types.UID',
    ],
    [
      'core/v1.Pod',
      { spec: { containers: [{ resources: { limits: [] } }] } },
      'json: cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
    ],
    [
      'apps/v1.Deployment',
      { spec: { template: { spec: { hostNetwork: 'x' } } } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.hostNetwork of type bool',
    ],
    [
      'apiextensions/v1.CustomResourceDefinition',
      { spec: { versions: [{ schema: { openAPIV3Schema: { items: { type: 5 } } } }] } },
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.type of type string',
    ],
    [
      'apiextensions/v1.CustomResourceDefinition',
      { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 5 } } }] } },
      'boolean or JSON schema expected',
    ],
  ])('names the type in Go: %s %j', (type, document, expected) => {
    expect(problem(type, document)).toBe(expected);
  });
});
