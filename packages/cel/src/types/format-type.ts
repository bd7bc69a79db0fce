/** Types as cel-go prints them in errors. */
import type { CelType } from './cel-type.ts';

/** `list(int)`, `map(string, dyn)`, `wrapper(int)`, `timestamp`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'timestamp':
      return 'timestamp';
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'wrapper':
      return `wrapper(${type.name})`;
    case 'bool':
    case 'bytes':
    case 'double':
    case 'dyn':
    case 'int':
    case 'list':
    case 'map':
    case 'object':
    case 'opaque':
    case 'parameter':
    case 'string':
    case 'type':
    case 'uint': {
      if (type.parameters.length === 0) return type.name;
      return `${type.name}(${type.parameters.map(formatType).join(', ')})`;
    }
    default:
      return type.kind satisfies never;
  }
}

/** The type by its name at run time: `null_type`, `google.protobuf.Any`, `list(google.protobuf.Timestamp)`. */
export function formatRuntimeType(type: CelType): string {
  if (type.kind === 'wrapper') return `wrapper(${type.name})`;
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(formatRuntimeType).join(', ')})`;
}

/** `(int, string)`, or `string.(int)` for a call on a target. */
export function formatSignature(types: readonly CelType[], member: boolean): string {
  const names = types.map(formatType);
  return member ? `${names[0] ?? ''}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
}
