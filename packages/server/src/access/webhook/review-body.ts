/** What a webhook is sent: a SubjectAccessReview, field by field as kube-apiserver writes it. */

import type { AccessAttributes, SelectorRequirement } from '../../contract/authorization.ts';

/** Versions of authorization.k8s.io. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The spec of version v1; empty fields are left out. */
export interface ReviewSpec {
  readonly resourceAttributes?: ReviewResource;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

/** A resource in it. */
export interface ReviewResource {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: { readonly requirements: readonly object[] };
  readonly labelSelector?: { readonly requirements: readonly object[] };
}

/** The spec of a question. Equal questions have equal JSON. */
export function reviewSpec(attributes: AccessAttributes): ReviewSpec {
  const { user, isResource, path, verb } = attributes;
  const { name, groups, uid, extra } = user;
  return {
    ...(isResource
      ? { resourceAttributes: resourceOf(attributes) }
      : { nonResourceAttributes: present({ path, verb }) }),
    ...present({ user: name }),
    ...(groups.length === 0 ? {} : { groups }),
    ...extraOf(extra),
    ...present({ uid }),
  };
}

function resourceOf(attributes: AccessAttributes): ReviewResource {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  return {
    ...present({ namespace, verb, group, version, resource, subresource, name }),
    ...selectorOf('fieldSelector', attributes.fieldSelector),
    ...selectorOf('labelSelector', attributes.labelSelector),
  };
}

function selectorOf(field: string, requirements: readonly SelectorRequirement[] | undefined): object {
  if (requirements === undefined || requirements.length === 0) return {};
  const shown = requirements.map(({ key, operator, values }) => ({
    key,
    operator,
    ...(values.length === 0 ? {} : { values }),
  }));
  return { [field]: { requirements: shown } };
}

/** In the order of their keys, as Go writes a map. */
function extraOf(extra: ReviewSpec['extra'] | undefined): Pick<ReviewSpec, 'extra'> {
  const entries = Object.entries(extra ?? {});
  if (entries.length === 0) return {};
  return { extra: Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1))) };
}

function present<T extends Readonly<Record<string, string | undefined>>>(fields: T): { [K in keyof T]?: string } {
  const shown: { [K in keyof T]?: string } = {};
  for (const key in fields) if (fields[key]) shown[key] = fields[key];
  return shown;
}

/** The whole body. In `v1beta1` groups have another name. */
export function reviewBody(spec: ReviewSpec, version: ReviewVersion): object {
  const { groups, extra, uid, ...rest } = spec;
  const written =
    version === 'v1'
      ? spec
      : {
          ...rest,
          ...(groups === undefined ? {} : { group: groups }),
          ...(extra === undefined ? {} : { extra }),
          ...(uid === undefined ? {} : { uid }),
        };
  return {
    kind: 'SubjectAccessReview',
    apiVersion: `authorization.k8s.io/${version}`,
    metadata: {},
    spec: written,
    status: { allowed: false },
  };
}
