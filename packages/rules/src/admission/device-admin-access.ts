/**
 * Admin access to devices: a claim with `adminAccess` gets devices that are in use. The namespace must allow this with
 * the label `resource.kubernetes.io/admin-access: "true"`. Kubernetes checks this in the strategy of the kinds, not in
 * a plugin.
 */

import { fieldForbidden, fieldInternal, invalid } from '@listwatch/api';
import { recordOf, recordsOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-plugin.ts';
import type { PodSecurityParts } from './pod-security.ts';

const LABEL = 'resource.kubernetes.io/admin-access';

/** The plugin. It reads the namespace from the store: a stale cache could still have a label that was removed. */
export function deviceAdminAccess(storedNamespace: PodSecurityParts['storedNamespace']): AdmissionPlugin {
  return {
    name: 'DeviceAdminAccess',
    types: ['resource/v1.ResourceClaim', 'resource/v1.ResourceClaimTemplate'],
    subresources: ['status'],
    async validate(request) {
      const field = askedFor(request);
      if (field !== undefined) await requireLabel(request, field, storedNamespace);
    },
  };
}

/** The field that requests admin access. Specs are immutable, and allocations are not revoked. */
function askedFor({ resource, object, old, subresource }: AdmissionRequest): string | undefined {
  if (subresource === 'status') return allocatedField(old) === undefined ? allocatedField(object) : undefined;
  if (old !== undefined) return undefined;
  const spec = recordOf(object['spec']);
  const { devices } = resource.kind === 'ResourceClaim' ? spec : recordOf(spec['spec']);
  const index = recordsOf(recordOf(devices)['requests']).findIndex(
    ({ exactly }) => recordOf(exactly)['adminAccess'] === true,
  );
  // Kubernetes reports this path, without `exactly`, for claims and for templates.
  return index < 0 ? undefined : `spec.devices.requests[${index}].adminAccess`;
}

function allocatedField(claim: KubeObject | undefined): string | undefined {
  const { devices } = recordOf(recordOf(claim?.['status'])['allocation']);
  const index = recordsOf(recordOf(devices)['results']).findIndex(({ adminAccess }) => adminAccess === true);
  return index < 0 ? undefined : `status.allocation.devices.results[${index}].adminAccess`;
}

async function requireLabel(
  { resource, object }: AdmissionRequest,
  field: string,
  storedNamespace: PodSecurityParts['storedNamespace'],
): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  const found = await storedNamespace(namespace);
  if (found?.metadata.labels?.[LABEL] === 'true') return;
  const why = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;
  const absent = `could not retrieve namespace to verify admin access: namespaces "${namespace}" not found`;
  const error = found === undefined ? fieldInternal(field, absent) : fieldForbidden(field, why);
  throw invalid(resource, name, [error]);
}
