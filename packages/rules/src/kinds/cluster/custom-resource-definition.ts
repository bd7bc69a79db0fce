/** CustomResourceDefinition: a kind that a client brings. */

import { recordOf, recordsOf } from '@listwatch/api/values';
import {
  celRules,
  type DefinitionCheckOptions,
  defaultDefinition,
  definitionProblems,
  definitionStatusProblems,
  withStorageVersion,
} from '@listwatch/schema';
import { DEFAULT_TABLE } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { BodyLimits } from '../../strategy/body-limits.ts';
import { EMBEDDED_METADATA } from '../../strategy/custom-metadata.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { statusOnly } from '../../strategy/status-change.ts';
import { isCaBundle } from '../../validation/ca-bundle.ts';

/** Holds a definition until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * Generators write definitions of 1 MB whose schemas have tens of thousands of members. Code that processes them yields
 * to the event loop.
 */
const DEFINITION_LIMITS: BodyLimits = { members: 60_000, parts: 150_000 };

const CHECKS: DefinitionCheckOptions = { metadata: EMBEDDED_METADATA, isCaBundle, rules: celRules };

/** The rules of CustomResourceDefinition. Its controller sets the rest of its status: `crd/definition-controller.ts`. */
export const customResourceDefinition: KindRules = {
  bodyLimits: DEFINITION_LIMITS,
  columns: DEFAULT_TABLE,
  applyDefaults: (object) => defaultDefinition(object),
  onCreate: (object) => withStorageVersion({ ...object, status: {} }),
  onUpdate: (object, old) => withStorageVersion({ ...object, status: old['status'] }),
  onStatusUpdate: statusOnly,
  validate: (object) => definitionProblems(object, CHECKS),
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? definitionStatusProblems(object) : definitionProblems(object, { ...CHECKS, old }),
  strategy: { allowsUnconditionalUpdate: false, markDeleting },
};

/** The objects are deleted first; meanwhile none can be created. */
function markDeleting(object: KubeObject): KubeObject {
  const { metadata } = object;
  const { finalizers = [], deletionTimestamp } = metadata;
  const status = recordOf(object['status']);
  const others = recordsOf(status['conditions']).filter(({ type }) => type !== 'Terminating');
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: deletionTimestamp,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return {
    ...object,
    metadata: { ...metadata, finalizers: [...new Set([...finalizers, CLEANUP_FINALIZER])] },
    status: { ...status, conditions: [...others, condition] },
  };
}
