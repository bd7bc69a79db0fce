/** Makes the component of a custom kind. That of a large definition is made and encoded in the worker: it takes tens of milliseconds. */

import { type JsonRecord, recordOf } from '@listwatch/api/values';
import { customComponents, type OpenApiVersion } from '@listwatch/schema';
import { ComputeError, computeFailure } from '../compute/compute-error.ts';
import type { ComputeJob } from '../compute/compute-job.ts';
import { definitionSchema } from '../kinds/crd/custom-definition.ts';
import { decodeJson, encodeJson } from '../stored/exact-json.ts';
import type { DocumentForm } from './document-form.ts';
import type { EncodedBytes } from './encoded-part.ts';

/** The component to make. */
export interface ComponentOrder {
  /** The bytes of the CustomResourceDefinition. */
  readonly definition: Uint8Array;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly listKind: string;
  readonly openApi: OpenApiVersion;
  readonly form: DocumentForm;
}

/** Makes and encodes a component. */
export type EncodeComponent = (order: ComponentOrder) => Promise<EncodedBytes>;

/** The job. */
export const componentJob: ComputeJob<ComponentOrder, EncodedBytes> = {
  async run({ definition, openApi, form, ...names }) {
    const schema = schemaIn(definition, names.version);
    const { kind, schemas } = customComponents({ ...names, schema }, openApi);
    const component = schemas[kind] ?? {};
    const json = Buffer.from(encodeJson(component));
    if (form === 'json') return { json, message: Buffer.alloc(0) };
    const { encodeGnostic } = await import('./gnostic-message.ts');
    const message =
      openApi === 2
        ? encodeGnostic((await import('./gnostic-v2.ts')).gnosticVersion2, component, '.Schema')
        : encodeGnostic((await import('./gnostic-v3.ts')).gnosticVersion3, component, '.SchemaOrReference');
    return { json, message: await message };
  },
};

/** `openAPIV3Schema` of a version of a CustomResourceDefinition. */
export function schemaIn(definition: Uint8Array, version: string): JsonRecord {
  return definitionSchema(recordOf(decodeJson(definition)), version) ?? {};
}

/** Rejects with the failure of the worker: 429, 504 or 500. */
export function componentsElsewhere(pool: {
  run(job: 'component', order: ComponentOrder): Promise<Readonly<Record<keyof EncodedBytes, Uint8Array>>>;
}): EncodeComponent {
  return async (order) => {
    try {
      const { json, message } = await pool.run('component', order);
      return { json: bufferOf(json), message: bufferOf(message) };
    } catch (error) {
      throw error instanceof ComputeError ? computeFailure(error) : error;
    }
  };
}

/** Bytes that have crossed threads are no Buffer any more. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
