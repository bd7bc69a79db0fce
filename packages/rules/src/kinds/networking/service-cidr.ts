/** ServiceCIDR: a range from which Services get cluster IPs. */

import { type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { listOf, recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { checkCanonicalRange, legacyRange } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

/** The rules of ServiceCIDR. */
export const serviceCidr: KindRules = {
  columns: namedTable([column('CIDRs', 'The ranges, one of each IP family.')], (object) => [cidrsOf(object).join(',')]),
  validate,
  validateUpdate,
};

const FIELD = 'spec.cidrs';

function validate(object: KubeObject): Errors {
  const cidrs = cidrsOf(object);
  if (cidrs.length === 0) return [fieldRequired(FIELD, 'at least one CIDR required')];
  if (cidrs.length > 2) return [fieldInvalid(FIELD, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const [first, second] = cidrs.map((cidr) => legacyRange(cidr)?.bits);
  const alike = cidrs.length === 2 && first !== undefined && first === second;
  const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [
    ...itemErrors(cidrs, (cidr, index) =>
      checkCanonicalRange(cidr).map((complaint) => fieldInvalid(`${FIELD}[${index}]`, cidr, complaint)),
    ),
    ...(alike ? [fieldInvalid(FIELD, cidrs, detail)] : []),
  ];
}

const IMMUTABLE = 'field is immutable';

/** The only change allowed is to add a range of the other IP family. */
function validateUpdate(object: KubeObject, old: KubeObject): Errors {
  const cidrs = cidrsOf(object);
  const had = cidrsOf(old);
  const adds = had.length === 1 && cidrs.length === 2;
  if (!adds && cidrs.length !== had.length) return [fieldInvalid(FIELD, cidrs, IMMUTABLE)];
  const changed = itemErrors(had, (cidr, index) =>
    cidrs[index] === cidr ? [] : [fieldInvalid(`${FIELD}[${index}]`, cidrs[index], IMMUTABLE)],
  );
  return adds ? [...changed, ...validate(object)] : changed;
}

function cidrsOf(object: KubeObject): readonly string[] {
  return listOf(recordOf(object['spec'])['cidrs']).map(textOf);
}
