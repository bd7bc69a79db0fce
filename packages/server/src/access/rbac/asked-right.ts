/** A right that is asked for, taken apart once for all rules. */

import type { AccessAttributes } from '../../contract/authorization.ts';
import { ANYTHING } from './policy-rule.ts';

/** What rules are compared with. */
export interface AskedRight {
  readonly isResource: boolean;
  readonly verb: string;
  readonly group: string;
  /** `pods`, or `pods/log`. */
  readonly resource: string;
  /** `*\/log`, how a rule names the subresource of every resource; `''` when none is asked for. */
  readonly anyResource: string;
  /** `''`: none. Undefined: objects of every name, which no rule for single names allows. */
  readonly name: string | undefined;
  readonly path: string;
}

/** Takes the attributes of a request apart. */
export function askedRight(attributes: AccessAttributes): AskedRight {
  const { isResource, verb, group, resource, subresource, name, path } = attributes;
  if (subresource === '') return { isResource, verb, group, resource, anyResource: '', name, path };
  return {
    isResource,
    verb,
    group,
    resource: `${resource}/${subresource}`,
    anyResource: `${ANYTHING}/${subresource}`,
    name,
    path,
  };
}
