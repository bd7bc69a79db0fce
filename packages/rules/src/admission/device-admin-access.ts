/**
 * Devices of others: a claim with `adminAccess` gets devices that are in use. The namespace must say that its users may do that
 * (`resource.kubernetes.io/admin-access: "true"`). Kubernetes checks it beside the rules of the kinds, in no plugin of its own.
 */

import { fieldForbidden, fieldInternal, invalid } from '@listwatch/api';
import { recordOf, recordsOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-plugin.ts';
import type { PodSecurityParts } from './pod-security.ts';

const LABEL = 'resource.kubernetes.io/admin-access';

/** The plugin. It reads the namespace from the store: a cache may not know yet that the label was taken away. */
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

/** The field that asks for it. A spec never changes, and what was allocated is not taken back. */
function askedFor({ resource, object, old, subresource }: AdmissionRequest): string | undefined {
  if (subresource === 'status') return allocatedField(old) === undefined ? allocatedField(object) : undefined;
  if (old !== undefined) return undefined;
  const spec = recordOf(object['spec']);
  const { devices } = resource.kind === 'ResourceClaim' ? spec : recordOf(spec['spec']);
  const index = recordsOf(recordOf(devices)['requests']).findIndex(
    ({ exactly }) => recordOf(exactly)['adminAccess'] === true,
  );
  // Without `exactly`, and of a template as of a claim: so Kubernetes answers.
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
