/** What is known of a kind beside the schema of its objects. */

import type { TypeName } from '@listwatch/schema';

/** One resource of the API. Verbs, names and subresources are what kube-apiserver's discovery says. */
export interface KindData {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** The schema of its objects. */
  readonly type: TypeName;
  /** The schema of its lists; absent when it is never listed. */
  readonly listType?: TypeName;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The fields that a `fieldSelector` may name. */
  readonly selectableFields: readonly string[];
  /** An unknown field in a selector is refused with "field label not supported" instead of the generic text. */
  readonly ownFieldLabels?: true;
  /** Which version the server stores, as discovery shows it. */
  readonly storageVersionHash?: string;
  /** By their names, such as `status`. */
  readonly subresources: Readonly<Record<string, SubresourceData>>;
}

/** A subresource: what it takes and answers may be of another kind. */
export interface SubresourceData {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: TypeName;
  readonly verbs: readonly string[];
}

/** A group with its versions, the preferred one first. */
export interface GroupData {
  readonly group: string;
  readonly versions: readonly string[];
}
