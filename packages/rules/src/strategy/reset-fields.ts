/** The fields that a write to an endpoint resets to their stored values, so its field manager never owns them. */

import type { KindData } from '@listwatch/kinds/data';
import type { TypeName } from '@listwatch/schema';

/** A field and all below it: `['metadata', 'labels']`. */
export type ResetPath = readonly string[];

/** The paths by subresource; `''` is the object itself. An endpoint that is missing resets nothing. */
export type ResetFields = Readonly<Record<string, readonly ResetPath[]>>;

const SPEC: ResetPath = ['spec'];
const STATUS: ResetPath = ['status'];
const METADATA: ResetPath = ['metadata'];

/** The kinds whose `status` endpoint takes nothing of the metadata. */
const STATUS_WITHOUT_METADATA: ReadonlySet<TypeName> = new Set<TypeName>([
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  'apiextensions/v1.CustomResourceDefinition',
  'apiregistration/v1.APIService',
  'flowcontrol/v1.FlowSchema',
  'flowcontrol/v1.PriorityLevelConfiguration',
  'networking/v1.ServiceCIDR',
  'resource/v1.ResourceClaim',
  'storage/v1.VolumeAttachment',
]);

const EXCEPTIONS: Readonly<Record<TypeName, ResetFields>> = {
  'apps/v1.Deployment': { '': [STATUS], status: [SPEC, ['metadata', 'labels']] },
  'certificates/v1.CertificateSigningRequest': {
    '': [SPEC, STATUS],
    approval: [SPEC, ['status', 'certificate']],
    status: [SPEC, ['status', 'conditions']],
  },
  'core/v1.Namespace': { '': [STATUS], finalize: [STATUS], status: [SPEC] },
  'core/v1.Pod': {
    '': [STATUS],
    status: [SPEC, ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  },
};

/** The reset fields of a custom kind. */
export function customResetFields(hasStatus: boolean): ResetFields {
  return hasStatus ? { '': [STATUS], status: [SPEC, METADATA] } : {};
}

/** The reset fields of a built-in kind, as in kube-apiserver, unless its rules say otherwise. */
export function defaultResetFields({ type, subresources }: KindData): ResetFields {
  const own = EXCEPTIONS[type];
  if (own !== undefined) return own;
  if (!Object.hasOwn(subresources, 'status')) return {};
  return { '': [STATUS], status: STATUS_WITHOUT_METADATA.has(type) ? [SPEC, METADATA] : [SPEC] };
}
