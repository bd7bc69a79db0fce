/** The subresources of built-in kinds that change a part of the stored object, beside `status` and `finalize`. */

import type { TypeName } from '@listwatch/schema';
import type { SubresourceRules } from '../strategy/kind-rules.ts';
import { certificateApproval } from './identity/certificate-approval.ts';
import { ephemeralContainers } from './pods/ephemeral-containers.ts';
import { podResize } from './pods/pod-resize.ts';

/** By the type of the object and the name of the subresource. */
export const SUBRESOURCE_RULES: Readonly<Record<TypeName, Readonly<Record<string, SubresourceRules>>>> = {
  'certificates/v1.CertificateSigningRequest': { approval: certificateApproval },
  'core/v1.Pod': { ephemeralcontainers: ephemeralContainers, resize: podResize },
};
