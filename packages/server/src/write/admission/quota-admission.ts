/** ResourceQuota: a write that would exceed a quota of its namespace is refused; others raise the usage. Start here. */

import { builtInKind } from '@listwatch/rules/internal';
import { usageRules } from '@listwatch/rules/usage';
import type { TypeName } from '@listwatch/schema';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { WrittenObjects } from '../../stored/written-objects.ts';
import { SERVER_MANAGER, updateOwners } from '../owners/field-owners.ts';
import { endpointOwnership } from '../owners/kind-ownership.ts';
import { KnownObjects, objectLookup } from './known-objects.ts';
import { QuotaCharges } from './quota-charges.ts';

/** The parts that quotas read and write. */
export interface QuotaAdmissionOptions {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The cache of a kind. */
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly written?: WrittenObjects | undefined;
}

/** The admission by quotas of one server. */
export function quotaAdmission({ engine, clock, cacheOf, written }: QuotaAdmissionOptions): QuotaCharges {
  const pod = objectLookup(cacheOf('core/v1.Pod'));
  const definition = builtInKind('core/v1.ResourceQuota');
  const ownership = endpointOwnership({ clock, find: () => undefined }, definition, 'status');
  return new QuotaCharges({
    engine,
    definition,
    owners: updateOwners(ownership, SERVER_MANAGER),
    quotas: new KnownObjects(cacheOf('core/v1.ResourceQuota')),
    ruleOf: usageRules({ classes: new KnownObjects(cacheOf('resource/v1.DeviceClass')), pod }, clock),
    written,
  });
}
