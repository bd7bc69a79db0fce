/** Prints JSON values as Go code, as `%#v` does: messages about wrong types contain them. */

import { quote } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import { compareTexts, floatText, goText, goType } from '../../strategic-merge/go-text.ts';

/** A text stops growing here: Kubernetes has no limit, but a value may have megabytes. */
const MAX_CHARACTERS = 8192;

/** A value as Go code. Cut when it is very long. */
export function goSyntaxText(value: unknown): string {
  const parts: string[] = [];
  let left = MAX_CHARACTERS;
  const put = (text: string): boolean => {
    if (left <= 0) return false;
    parts.push(text.length <= left ? text : `${text.slice(0, left)}...`);
    left -= text.length;
    return left > 0;
  };
  print(value, put);
  return parts.join('');
}

function print(value: unknown, put: (text: string) => boolean): boolean {
  if (Array.isArray(value)) {
    return (
      put('[]interface {}{') && value.every((item, index) => put(index > 0 ? ', ' : '') && print(item, put)) && put('}')
    );
  }
  if (isRecord(value)) {
    const keys = Object.keys(value).toSorted(compareTexts);
    return (
      put('map[string]interface {}{') &&
      keys.every((key, index) => put(`${index > 0 ? ', ' : ''}${quote(key)}:`) && print(value[key], put)) &&
      put('}')
    );
  }
  return put(scalarText(value));
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || value === undefined) return 'interface {}(nil)';
  return goType(value) === 'float64' ? floatText(Number(value)) : goText(value);
}
