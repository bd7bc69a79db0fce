/** The names of a shape's fields, as `fieldValidation` looks them up. */

import type { FieldTree } from '../resource-definition.ts';
import type { Shape, StructShape } from './shape.ts';

/** The tree of field names of a shape. Anything is allowed below a map or a scalar. */
export function fieldTreeOf(shape: StructShape): FieldTree {
  return Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, branchOf(field)]));
}

function branchOf(shape: Shape): FieldTree | readonly [FieldTree] | true {
  if (typeof shape === 'string' || 'map' in shape) return true;
  if ('struct' in shape) return fieldTreeOf(shape);
  return typeof shape.list === 'object' && 'struct' in shape.list ? [fieldTreeOf(shape.list)] : true;
}
