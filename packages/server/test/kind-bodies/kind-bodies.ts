/** Objects of one kind that two servers are sent. */
export interface KindBodies {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Without `apiVersion` and `kind`; the name is `x` unless they have metadata. */
  readonly bodies: readonly object[];
}
