/** Parts of objects, as the formats of a write take them. */

import type { ApiObject, ObjectMeta } from '@listwatch/api';

/** What has no members to leave out. `string & {}`, the open end of an enum, is one: asked first, or it is taken for an object. */
type Scalar = bigint | boolean | number | string | null | undefined;

/** Every member optional, on every level; items of lists too. */
export type DeepPartial<V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : V extends object
      ? MemberlessOr<V, PartialMembers<V>>
      : V;

/** A part of a value for a merge patch: what is left out stays, null removes, lists are replaced as a whole. */
export type MergePart<V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? readonly Item[]
    : V extends object
      ? MemberlessOr<V, MergeMembers<V>>
      : V;

/** A part of a value for a strategic merge patch: as for a merge patch, but lists with keys are merged, and may be steered. */
export type StrategicPart<V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? readonly StrategicPart<Item>[]
    : V extends object
      ? MemberlessOr<V, StrategicMembers<V> & StrategicDirectives>
      : V;

// These have names so that a message of the compiler has the name and not all the members.
type PartialMembers<V> = { readonly [K in keyof V]?: DeepPartial<V[K]> | undefined };
type MergeMembers<V> = { readonly [K in keyof V]?: MergePart<V[K]> | null | undefined };
type StrategicMembers<V> = { readonly [K in keyof V]?: StrategicPart<V[K]> | null | undefined };

/** What steers a strategic merge patch, beside the members. */
export interface StrategicDirectives {
  readonly $patch?: 'delete' | 'merge' | 'replace' | undefined;
  readonly $retainKeys?: readonly string[] | undefined;
  readonly [list: `$deleteFromPrimitiveList/${string}`]: readonly unknown[] | undefined;
  readonly [order: `$setElementOrder/${string}`]: readonly unknown[] | undefined;
}

/** Any JSON object (`object`, as in `RawExtension`) stays that: a mapped type would make `{}` of it, which takes texts too. */
type MemberlessOr<V, Part> = [keyof V] extends [never] ? V : Part;

/** One operation of a JSON patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'copy' | 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'remove'; readonly path: string };

/** `Part`, or `Open` where the type of the objects says nothing but that they are objects of the API. */
type IfKnownKind<T extends ApiObject, Part, Open> = [Exclude<keyof T, keyof ApiObject>] extends [never] ? Open : Part;

/** An object to be applied: its name, and only the fields that the applier wants to own. */
export type AppliedObject<T extends ApiObject> = IfKnownKind<T, AppliedPart<T>, AppliedPart<T> | OpenPart>;

type AppliedPart<T extends ApiObject> = DeepPartial<Omit<T, 'metadata'>> & {
  readonly metadata: AppliedMetadata;
};

type AppliedMetadata = DeepPartial<Omit<ObjectMeta, 'name'>> & { readonly name: string };

interface OpenPart {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: AppliedMetadata;
  readonly [field: string]: unknown;
}

/** A patch, in one of the four formats of Kubernetes, of an object of type `T`. Of any kind: its body is any object. */
export type Patch<T extends ApiObject = ApiObject> =
  | { readonly type: 'apply'; readonly body: IfKnownKind<T, DeepPartial<T>, object> }
  | { readonly type: 'json'; readonly body: readonly PatchOperation[] }
  | { readonly type: 'merge'; readonly body: IfKnownKind<T, MergePart<T>, object> }
  | { readonly type: 'strategic'; readonly body: IfKnownKind<T, StrategicPart<T>, object> };
