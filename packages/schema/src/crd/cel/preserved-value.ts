/** JSON of which the schema says nothing. Expressions cannot look into it; they can only compare it. */

import { type CelOpaque, type CelType, type CelValue, opaqueType } from '@listwatch/cel';

const TYPE: CelType = opaqueType('unknown');

/** A value under `x-kubernetes-preserve-unknown-fields`. */
export class PreservedValue implements CelOpaque {
  readonly opaqueType: CelType = TYPE;
  readonly json: unknown;

  constructor(json: unknown) {
    this.json = json;
  }

  equals(other: CelValue): boolean {
    return other instanceof PreservedValue && samePreservedJson(this.json, other.json);
  }
}

/** Are they equal? Null and a missing field differ; empty and missing lists and maps do not, as in Kubernetes' semantic equality. */
export function samePreservedJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return (typeof left === 'bigint' || typeof right === 'bigint') && String(left) === String(right);
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => samePreservedJson(item, right[index]));
  }
  const [ours, theirs] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  if (ours.size !== theirs.size) return false;
  for (const [key, value] of ours) if (!theirs.has(key) || !samePreservedJson(value, theirs.get(key))) return false;
  return true;
}
