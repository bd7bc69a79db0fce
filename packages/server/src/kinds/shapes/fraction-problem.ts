/** Finds integers that are written with a fraction or an exponent: `JSON.parse` takes `1.0` for 1, Go refuses it. */

import { fractionMismatch, type Place } from './decode-problem.ts';
import { type JsonLevel, walkJson } from './json-walk.ts';
import { type Shape, type StructShape, scalarName } from './shape.ts';

interface ShapeLevel extends JsonLevel {
  /** Undefined below a field that the shape does not have. */
  readonly shape: Shape | undefined;
  readonly place: Place | undefined;
}

/** The error about the first such number in JSON text, in the words of Go's decoder; undefined if there is none. */
export function fractionProblem(root: StructShape, text: string): string | undefined {
  let problem: string | undefined;
  walkJson<ShapeLevel>(text, {
    open: (parent, isObject) => ({
      isObject,
      at: isObject ? '' : 0,
      shape: parent === undefined ? root : shapeAt(parent),
      place: parent === undefined ? undefined : placeAt(parent),
    }),
    member: () => problem === undefined,
    number: (level, literal) => {
      if (problem !== undefined || level === undefined || !/[.eE]/.test(literal)) return;
      const [shape, place] = [shapeAt(level), placeAt(level)];
      if (typeof shape === 'string' && place !== undefined && INTEGERS.has(scalarName(shape))) {
        problem = fractionMismatch(literal, shape, place);
      }
    },
  });
  return problem;
}

const INTEGERS: ReadonlySet<string> = new Set(['int32', 'int64', 'intOrString']);

/** The shape of the value at `level.at`. */
function shapeAt({ shape, at, isObject }: ShapeLevel): Shape | undefined {
  if (shape === undefined || typeof shape === 'string') return undefined;
  if (!isObject) return 'list' in shape ? shape.list : undefined;
  if ('map' in shape) return shape.map;
  return 'struct' in shape && Object.hasOwn(shape.fields, at) ? shape.fields[at] : undefined;
}

/** Items of lists and maps have the place of their list or map, as in Go. */
function placeAt({ shape, at, place }: ShapeLevel): Place | undefined {
  return typeof shape === 'object' && 'struct' in shape ? { owner: shape, name: String(at), above: place } : place;
}
