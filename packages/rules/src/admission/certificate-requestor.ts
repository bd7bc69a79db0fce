/** Sets the requestor of a certificate to the user of the request. Ignores the values in the body. */

import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import type { AdmissionUser } from './admission-plugin.ts';

/** Adds the user to a new CertificateSigningRequest. Returns objects of other kinds unchanged. */
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
