/** The components of a custom kind in an OpenAPI document. */

import type { JsonRecord } from '../decode/json-record.ts';
import type { GroupVersionKind, OpenApiSchema, OpenApiVersion } from '../openapi/openapi-schema.ts';

/** What is published of a version of a custom kind. */
export interface PublishedKind extends GroupVersionKind {
  readonly listKind: string;
  /** `openAPIV3Schema`. */
  readonly schema: JsonRecord;
}

/** The components of a version: the kind and its list, by names such as `com.example.v1.Widget`. */
export interface CustomComponents {
  readonly kind: string;
  readonly list: string;
  /** They refer to `ObjectMeta` and `ListMeta` of meta/v1: the document must have those. */
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
}

/** Version 3 has the whole schema, version 2 what clients of it can read. */
export function customComponents(_published: PublishedKind, _version: OpenApiVersion): CustomComponents {
  throw new Error('not yet');
}
