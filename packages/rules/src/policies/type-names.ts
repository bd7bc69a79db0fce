/** Checks the type names in `Object{..}` literals: each must match the path of its field. Nothing else checks them. */

import { CelList, CelMap, type CelValue } from '@listwatch/cel';

/** The maximum of problems to report. */
const PROBLEMS_MAX = 100;

/**
 * The wrong type names in an object, in the words of Kubernetes. The object was converted to JSON before, which limits
 * its size.
 */
export function typeNameProblems(object: CelMap): readonly string[] {
  if (object.typeName === 'map') return [];
  const found = new NameProblems();
  found.check(object, object.typeName);
  return found.texts;
}

class NameProblems {
  readonly texts: string[] = [];

  check(value: CelValue, expected: string): void {
    if (this.texts.length >= PROBLEMS_MAX) return;
    if (value instanceof CelList) {
      for (const item of value) if (isContainer(item)) this.check(item, expected);
    } else if (value instanceof CelMap) {
      const isObject = value.typeName !== 'map';
      if (isObject && value.typeName !== expected) {
        const detail = 'which matches field name path from root Object type';
        this.texts.push(
          `unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(expected)}, ${detail}`,
        );
      }
      for (const key of value.keys()) {
        const member = value.find(key);
        if (isContainer(member))
          this.check(member, isObject ? `${expected}.${typeof key === 'string' ? key : ''}` : expected);
      }
    }
  }
}

function isContainer(value: CelValue | undefined): value is CelList | CelMap {
  return value instanceof CelList || value instanceof CelMap;
}
