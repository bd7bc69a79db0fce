/** CertificateSubjectRestriction: nobody gets a client certificate for the group `system:masters`. */

import { forbidden } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import { organizationsOf } from '../kinds/identity/request-subject.ts';
import type { AdmissionPlugin } from './admission-plugin.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

/** The plugin. */
export const certificateSubject: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  types: ['certificates/v1.CertificateSigningRequest'],
  validate({ resource, object, old }) {
    const { signerName, request } = recordOf(object['spec']);
    if (old !== undefined || signerName !== SIGNER || !organizationsOf(textOf(request)).includes(MASTERS)) return;
    const why = `use of ${SIGNER} signer with ${MASTERS} group is not allowed`;
    throw forbidden(resource, object.metadata.name ?? '', why);
  },
};
