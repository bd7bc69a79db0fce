/** The contract of an admission plugin: what the server changes and refuses beside the rules of a kind. */

import { forbidden, type StatusError } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { ConfirmWrite } from '../../contract/admitted-write.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';

/** A write whose object has been decoded and has the defaults of its kind. */
export interface AdmissionRequest {
  readonly resource: ResourceDefinition['resource'];
  readonly object: KubeObject;
  /** The stored object; undefined on a creation. */
  readonly old: KubeObject | undefined;
}

/** One plugin. `admit` and `review` are synchronous: what they read of other kinds comes from their caches. */
export interface AdmissionPlugin {
  /** As Kubernetes names it. */
  readonly name: string;
  /** Objects of other kinds never reach it. */
  readonly types: readonly TypeName[] | 'all';
  /** The object to go on with, before it is validated; the same one when nothing changes. Throws the 403. */
  readonly admit?: (request: AdmissionRequest) => KubeObject;
  /** Checks an object that is valid. Throws the 403. */
  readonly review?: (request: AdmissionRequest) => void;
  /**
   * The same for what must be waited for, and for subresources, which the others never see. Runs after all `review`s,
   * right before the commit. Throws or rejects with the 403; undefined when there is nothing to wait for.
   */
  readonly confirm?: ConfirmWrite;
}

/** The 403 of a plugin that changes objects: for an object whose name the server makes it names the `generateName`. */
export function notAdmitted({ resource, object }: AdmissionRequest, why: string): StatusError {
  const { name = '', generateName = '' } = object.metadata;
  const isGenerated = generateName !== '' && name.startsWith(generateName);
  return forbidden(resource, isGenerated ? generateName : name, why);
}
