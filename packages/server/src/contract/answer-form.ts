/** The form of an answer. */

/** The form in which objects are answered. */
export interface AnswerForm {
  /** Protobuf is never a Table. */
  readonly mediaType: 'application/json' | 'application/vnd.kubernetes.protobuf' | 'application/yaml';
  /** `metadata` is PartialObjectMetadata(List). */
  readonly as: 'object' | 'table' | 'metadata';
  /** Of meta.k8s.io, for `table` and `metadata`. */
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly pretty: boolean;
}
