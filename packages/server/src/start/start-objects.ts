/** Creates the objects that every cluster has when a server starts. */

import {
  builtInKind,
  type DefaultObject,
  defaultObjects,
  type ServiceRange,
  serviceAddresses,
  wholeSeconds,
  withManagedFields,
} from '@listwatch/rules/internal';
import type { AlongsidePut } from '@listwatch/storage';
import type { ObjectStore, VerbContext } from '../contract/verb.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { writtenObject } from '../stored/stored-object.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import type { ServiceClaims } from '../write/admission/service-claims.ts';
import { updateOwners } from '../write/owners/field-owners.ts';
import { withDangling } from './dangling-condition.ts';

/**
 * Has a server been started on this store before? Its namespaces are created first. A wrong answer costs time only: what is missing is
 * created, and what is there is kept.
 */
export async function isFirstStart({ engine }: ObjectStore): Promise<boolean> {
  const key = storedObjectKey(builtInKind('core/v1.Namespace'), { namespace: '', name: 'default' });
  return (await engine.get(key)).entry === undefined;
}

/** What the objects of a start depend on. */
export interface DefaultObjectsStart {
  readonly port: number | undefined;
  readonly isFirst: boolean;
  /** Default: 10.96.0.0/12. */
  readonly serviceRange?: ServiceRange | undefined;
}

/** Existing objects stay unchanged. On a first start all are created at once, so that the engine can commit them as one batch. */
export async function createDefaultObjects(
  context: VerbContext,
  claims: ServiceClaims,
  { port, isFirst, serviceRange }: DefaultObjectsStart,
): Promise<void> {
  const { engine } = context.store;
  const create = async (wanted: DefaultObject): Promise<void> => {
    const { definition, object } = wanted;
    const { name = '', namespace = '' } = object.metadata;
    const key = storedObjectKey(definition, { namespace, name });
    if (!isFirst && (await engine.get(key)).entry !== undefined) return;
    const alongside = definition.data.type === 'core/v1.Service' ? await claimsOf(wanted, claims, key) : [];
    const made = newObject(context, wanted);
    context.store.announce(key, made);
    const put = { type: 'put', key, value: made.value, expected: 0n } as const;
    await engine.commit(alongside.length === 0 ? put : { ...put, alongside });
  };
  const known = { ...(port === undefined || port === 0 ? {} : { port }), ...(serviceRange && { serviceRange }) };
  await Promise.all(defaultObjects(known).map(create));
}

/** If another Service has the address already, it keeps the claim. */
async function claimsOf(
  { object }: DefaultObject,
  claims: ServiceClaims,
  key: string,
): Promise<readonly AlongsidePut[]> {
  const taken = await Promise.all(claims.held(serviceAddresses(object)).map((claim) => claim.take(key, {})));
  return taken.filter((put) => put !== undefined);
}

function newObject(context: VerbContext, { definition, object, written: next, manager }: DefaultObject): WrittenObject {
  const { clock, newUid } = context.store;
  const metadata = { ...object.metadata, uid: newUid(), creationTimestamp: wholeSeconds(clock.now()) };
  const owners = updateOwners(
    context.kinds.ownershipOf(definition, ''),
    manager,
  )({ old: undefined, next, sent: undefined });
  const made = withManagedFields({ ...object, metadata }, owners);
  // The levels of a new cluster are created beside its schemas.
  const isSchema = definition.data.type === 'flowcontrol/v1.FlowSchema';
  return writtenObject(definition, isSchema ? withDangling(made, true, clock.now()) : made);
}
