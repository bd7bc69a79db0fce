/** The request of an AdmissionReview without its uid and its objects: also what CEL sees as `request`. */

import type { Resource } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { UserInfo } from '../../../contract/api-request.ts';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';

/** The fields in the order of Kubernetes. `matched`: the resource as the rule names it. */
export function admissionRequestJson(request: DynamicRequest, matched: ResourceDefinition): JsonRecord {
  const { definition, kind, subresource, name, namespace, operation, user, dryRun } = request;
  const isConverted = matched !== definition && kind === definition;
  const part = subresource === '' ? {} : { subResource: subresource };
  return {
    kind: kindJson((isConverted ? matched : kind).resource),
    resource: resourceJson(matched.resource),
    ...part,
    requestKind: kindJson(kind.resource),
    requestResource: resourceJson(definition.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userJson(user),
    dryRun,
    options: request.options ?? null,
  };
}

function kindJson({ group, version, kind }: Resource): JsonRecord {
  return { group, version, kind };
}

function resourceJson({ group, version, plural }: Resource): JsonRecord {
  return { group, version, resource: plural };
}

function userJson({ name, uid = '', groups, extra = {} }: UserInfo): JsonRecord {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
