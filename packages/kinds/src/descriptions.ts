/** Short descriptions of the types and fields that people look up most, and links to the pages of Kubernetes for the other types. */

import { DESCRIPTIONS, REFERENCE_GROUPS, REFERENCE_PAGE } from './generated/descriptions.ts';

/** Describes a type such as `core/v1.Container`, or a field of it; undefined when there is nothing to say. */
export function describeKind(type: string, field: string = ''): string | undefined {
  const own = DESCRIPTIONS[type]?.[field];
  if (field !== '') return own;
  const link = referenceLink(type);
  return own === undefined ? link && `See ${link}` : link === undefined ? own : `${own} More info: ${link}`;
}

/** The page of a type in the reference of Kubernetes. */
function referenceLink(type: string): string | undefined {
  const {
    group = '',
    version = '',
    name = '',
  } = /^(?<group>[^/]+)\/(?<version>[^.]+)\.(?<name>.+)$/u.exec(type)?.groups ?? {};
  const anchor = REFERENCE_GROUPS[group];
  return anchor === undefined ? undefined : `${REFERENCE_PAGE}${name.toLowerCase()}-${version}-${anchor}`;
}
