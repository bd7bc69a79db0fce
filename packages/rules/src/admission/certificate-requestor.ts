/** Who asks for a certificate: the user of the request, whatever the body says. */

import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import type { AdmissionUser } from './admission-plugin.ts';

/** A new CertificateSigningRequest with its user; an object of another kind as it is. */
export function withRequestor({ data }: KindDefinition, object: KubeObject, user: AdmissionUser): KubeObject {
  if (data.type !== 'certificates/v1.CertificateSigningRequest') return object;
  const { name, uid, groups, extra = {} } = user;
  return {
    ...object,
    spec: {
      ...recordOf(object['spec']),
      ...(name === '' ? {} : { username: name }),
      ...(uid === undefined || uid === '' ? {} : { uid }),
      ...(groups.length === 0 ? {} : { groups }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    },
  };
}
