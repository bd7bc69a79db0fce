/** The built-in kinds of Kubernetes: a type and a `Resource` for each, under the names that the generated files list. */

export * from './generated/resources.ts';
export type * from './generated/types.ts';
export type {
  Duration,
  Embedded,
  EmbeddedMetadata,
  IntOrString,
  MicroTime,
  Quantity,
  RawExtension,
  Time,
} from './scalars.ts';
