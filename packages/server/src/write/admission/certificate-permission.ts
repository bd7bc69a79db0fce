/** CertificateApproval and CertificateSigning: updating the subresource also needs a permission on the signer. */

import { forbidden, quote } from '@listwatch/api';
import { listOf, recordOf, sameJson, textOf } from '@listwatch/api/values';
import type { AdmissionPlugin, AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import type { Authorizer } from '../../contract/authorization.ts';

type Authorize = Pick<Authorizer, 'authorize'>;

const TYPES = ['certificates/v1.CertificateSigningRequest'] as const;

/** The plugin for `/approval`: the verb `approve` on the signer. */
export function certificateApprovalPlugin(authorizer: Authorize): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    types: TYPES,
    subresources: ['approval'],
    async validate(request) {
      if (request.subresource === 'approval') await requireRight(authorizer, request, 'approve');
    },
  };
}

/** The plugin for `/status`: the verb `sign`, when the certificate or the conditions change. */
export function certificateSigning(authorizer: Authorize): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    types: TYPES,
    subresources: ['status'],
    async validate(request) {
      if (request.subresource === 'status' && changesVerdict(request)) await requireRight(authorizer, request, 'sign');
    },
  };
}

function changesVerdict({ object, old }: AdmissionRequest): boolean {
  const [now, before] = [recordOf(object['status']), recordOf(old?.['status'])];
  return (
    textOf(now['certificate']) !== textOf(before['certificate']) ||
    !sameJson(listOf(now['conditions']), listOf(before['conditions']))
  );
}

/** Checks the signer of the stored object: a request cannot change the signer. */
async function requireRight(
  authorizer: Authorize,
  { resource, object, old, user }: AdmissionRequest,
  verb: 'approve' | 'sign',
): Promise<void> {
  const signer = signerOf(old ?? object);
  if (await mayUseSigner(authorizer, user, verb, signer)) return;
  const why = `user not permitted to ${verb} requests with signerName ${quote(signer)}`;
  throw forbidden(resource, object.metadata.name ?? '', why);
}

function signerOf(request: KubeObject): string {
  return textOf(recordOf(request['spec'])['signerName']);
}

/** A right on the signer itself, or on all of its domain (`example.com/*`). */
async function mayUseSigner(
  authorizer: Authorize,
  user: AdmissionRequest['user'],
  verb: string,
  signer: string,
): Promise<boolean> {
  const domain = `${signer.split('/')[0] ?? ''}/*`;
  for (const name of [signer, domain]) {
    const { allowed } = await authorizer.authorize({
      user,
      verb,
      isResource: true,
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
      path: '',
    });
    if (allowed) return true;
  }
  return false;
}
