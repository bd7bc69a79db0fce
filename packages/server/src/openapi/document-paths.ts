/** The paths of discovery and of other documents, which have no kind. */

import { groupVersionPath, MEDIA_TYPE } from '@listwatch/api';
import type { TypeName } from '@listwatch/schema';
import type { ApiPath } from './api-operation.ts';
import { OBJECT_TYPES } from './object-operations.ts';
import { groupTag, groupVersionWord, groupWord } from './operation-names.ts';

/** `/api/` and `/apis/`. */
export const ROOT_PATHS: readonly ApiPath[] = [
  documentPath('/api/', 'core', 'getCoreAPIVersions', 'meta/v1.APIVersions'),
  documentPath('/apis/', 'apis', 'getAPIVersions', 'meta/v1.APIGroupList'),
];

/** Documents outside of the API. */
export const OTHER_PATHS: readonly ApiPath[] = [
  documentPath('/version/', 'version', 'getCodeVersion', 'version.Info', [MEDIA_TYPE.json]),
  documentPath(
    '/.well-known/openid-configuration/',
    'WellKnown',
    'getServiceAccountIssuerOpenIDConfiguration',
    'string',
    [MEDIA_TYPE.json],
  ),
  documentPath('/openid/v1/jwks/', 'openid', 'getServiceAccountIssuerOpenIDKeyset', 'string', [
    'application/jwk-set+json',
  ]),
];

/** `/apis/{group}/`. */
export function groupPath(group: string): ApiPath {
  return documentPath(`/apis/${group}/`, groupTag(group), `get${groupWord(group)}APIGroup`, 'meta/v1.APIGroup');
}

/** `/apis/{group}/{version}/`. */
export function resourcesPath(of: { readonly group: string; readonly version: string }): ApiPath {
  const tag = `${groupTag(of.group)}_${of.version}`;
  return documentPath(
    `${groupVersionPath(of)}/`,
    tag,
    `get${groupVersionWord(of)}APIResources`,
    'meta/v1.APIResourceList',
  );
}

function documentPath(
  path: string,
  tag: string,
  id: string,
  answer: TypeName | 'string',
  produces: readonly string[] = OBJECT_TYPES,
): ApiPath {
  return { path, tag, operations: [{ method: 'get', id, parameters: [], codes: [200], answer, produces }] };
}
