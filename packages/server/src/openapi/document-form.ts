/** The form of a document: JSON, or the messages of gnostic, which Go clients read. */
export type DocumentForm = 'json' | 'protobuf';
