/** Warnings about Services. */

import { listOf, recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { ipWarnings, rangeWarnings } from './address-warnings.ts';
import { itemWarnings } from './item-warnings.ts';

const HINTS = 'service.kubernetes.io/topology-aware-hints';
const MODE = 'service.kubernetes.io/topology-mode';

/** The warnings about a Service. */
export function* serviceWarnings({ metadata, spec: fields }: KubeObject): Generator<string, undefined> {
  const spec = recordOf(fields);
  const { type, clusterIP, loadBalancerIP, sessionAffinity } = spec;
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  const isExternal = type === 'ExternalName';
  const externalIps = listOf(spec['externalIPs']).map(textOf);
  if (metadata.annotations?.[HINTS] !== undefined)
    yield `annotation ${HINTS} is deprecated, please use ${MODE} instead`;
  if (textOf(clusterIP) !== '' && clusterIP !== 'None') {
    yield* itemWarnings(listOf(spec['clusterIPs']), (ip, index) => ipWarnings(textOf(ip), `spec.clusterIPs[${index}]`));
  }
  if (isHeadless) {
    if (textOf(loadBalancerIP) !== '') yield 'spec.loadBalancerIP is ignored for headless services';
    if (externalIps.length > 0) yield 'spec.externalIPs is ignored for headless services';
    if (sessionAffinity !== 'None') yield 'spec.SessionAffinity is ignored for headless services';
  }
  yield* itemWarnings(externalIps, (ip, index) => ipWarnings(ip, `spec.externalIPs[${index}]`));
  if (externalIps.length > 0 && !isHeadless && !isExternal) {
    yield 'spec.externalIPs is deprecated and may no longer be implemented in some clusters';
  }
  yield* ipWarnings(textOf(loadBalancerIP), 'spec.loadBalancerIP');
  yield* itemWarnings(listOf(spec['loadBalancerSourceRanges']), (range, index) =>
    rangeWarnings(textOf(range), `spec.loadBalancerSourceRanges[${index}]`),
  );
  if (isExternal && externalIps.length > 0) yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  if (!isExternal && textOf(spec['externalName']) !== '') {
    yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
  }
  if (spec['trafficDistribution'] === 'PreferClose') {
    yield 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"';
  }
}
