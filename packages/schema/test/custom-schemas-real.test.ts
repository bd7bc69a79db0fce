import { fieldErrorText } from '@listwatch/api';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient } from '@listwatch/conformance/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFINITION_ANSWERS } from '../src/crd/definition/definition-answers.fixture.ts';
import { DEFINITIONS } from '../src/crd/definition/definition-cases.fixture.ts';
import { OBJECT_ANSWERS } from '../src/crd/object/object-answers.fixture.ts';
import { OBJECTS } from '../src/crd/object/object-cases.fixture.ts';
import { OBJECT_META } from '../src/crd/object/object-meta.fixture.ts';
import {
  CustomSchema,
  decodeCustomObject,
  defaultDefinition,
  definitionProblems,
  isRecord,
  unknownFields,
  validateObject,
} from '../src/index.ts';
import { APPLICATION_SHAPE } from './custom-shapes/application-shape.ts';
import { CERTIFICATE_SHAPE } from './custom-shapes/certificate-shape.ts';
import { CLUSTER_SHAPE } from './custom-shapes/cluster-shape.ts';
import { COMPOSITION_SHAPE } from './custom-shapes/composition-shape.ts';
import type { CustomShape, Json } from './custom-shapes/custom-shape.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'shapes.example.com';

const ALL_CASES: CustomShape = {
  kind: 'Gadget',
  plural: 'gadgets',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(OBJECTS).map(([name, { schema }]) => [name, schema])),
      },
    },
  },
  objects: Object.entries(OBJECTS).flatMap(([name, { values }]) =>
    values.map((value) => ({ spec: { [name]: value } })),
  ),
};

const SHAPES = [CERTIFICATE_SHAPE, APPLICATION_SHAPE, COMPOSITION_SHAPE, CLUSTER_SHAPE, ALL_CASES];

function definitionOf({ kind, plural, schema }: CustomShape): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** What became of an object: its fields and the unknown ones, or the errors. */
interface Outcome {
  readonly fields?: unknown;
  readonly unknown?: readonly string[];
  readonly errors?: readonly string[];
}

function ownOutcome(schema: CustomSchema, object: Json): Outcome {
  const { object: decoded, problem } = decodeCustomObject(schema, object);
  if (problem !== undefined) return { errors: [problem] };
  const { errors } = validateObject(schema, decoded);
  if (errors.length > 0) return { errors: errors.map(fieldErrorText).toSorted() };
  return { fields: fieldsOf(decoded), unknown: unknownFields(schema, object) };
}

function fieldsOf({ spec, status }: Json): unknown {
  return { spec, status };
}

/** The errors of a Status, sorted. */
function causes({ details, message }: Json): readonly string[] {
  const found = isRecord(details) && Array.isArray(details['causes']) ? details['causes'].filter(isRecord) : [];
  if (found.length === 0) return [String(message).replace(/^.* cannot be handled as a \w+: /, '')];
  return [...new Set(found.map((cause) => `${String(cause['field'])}: ${String(cause['message'])}`))].toSorted();
}

describe('custom schemas beside kube-apiserver', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  let real: ApiClient;

  beforeAll(async () => {
    const target = await startKubeApiserver();
    disposables.push(target);
    real = new ApiClient(target);
    for (const shape of SHAPES) expect(await post(CRDS, definitionOf(shape))).toMatchObject({ status: 201 });
    const served = SHAPES.map(async ({ plural }) => {
      const path = `/apis/${GROUP}/v1/${plural}`;
      await vi.waitFor(async () => expect((await real.request('GET', path)).status).toBe(200), 20_000);
    });
    await Promise.all(served);
  }, 180_000);
  afterAll(async () => {
    real?.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  async function post(path: string, body: Json): Promise<{ status: number; body: Json; warnings: readonly string[] }> {
    const answer = await real.request('POST', path, { body });
    const warnings = answer.headers['warning'] ?? '';
    const unknown = [...warnings.matchAll(/unknown field \\"([^"]*)\\"/g)].map(([, name = '']) => name);
    return { status: answer.status, body: answer.document, warnings: unknown };
  }

  it('the recorded answers about definitions are still given', async () => {
    for (const [name, definition] of Object.entries(DEFINITIONS)) {
      const { status, body } = await post(`${CRDS}?dryRun=All`, definition);
      const errors =
        status === 201
          ? []
          : causes(body).filter((error) => !error.startsWith('metadata.name: Invalid value: "widgets.Ex_'));
      expect([name, errors]).toEqual([name, DEFINITION_ANSWERS[name]?.toSorted()]);
    }
  }, 120_000);

  it.each(SHAPES)('$kind is a definition without faults', (shape) => {
    expect(definitionProblems(defaultDefinition(definitionOf(shape)))).toEqual([]);
  });

  it.each(SHAPES)(
    'objects of $kind are pruned, defaulted and validated the same',
    async (shape) => {
      const schema = new CustomSchema(shape.schema, OBJECT_META);
      for (const parts of shape.objects) {
        const object = { apiVersion: `${GROUP}/v1`, kind: shape.kind, metadata: { name: 'x' }, ...parts };
        const { status, body, warnings } = await post(`/apis/${GROUP}/v1/${shape.plural}?dryRun=All`, object);
        const theirs: Outcome =
          status === 201 ? { fields: fieldsOf(body), unknown: warnings } : { errors: causes(body) };
        expect([parts, ownOutcome(schema, object)]).toEqual([parts, theirs]);
      }
    },
    120_000,
  );

  it('there is a recorded answer for each value', () => {
    for (const [name, { values }] of Object.entries(OBJECTS)) expect(OBJECT_ANSWERS[name]).toHaveLength(values.length);
  });
});
