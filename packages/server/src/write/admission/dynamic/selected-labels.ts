/** The selectors of webhooks and policies: by the labels of the namespace, and by those of the object. */

import { type LabelSelector, labelSelector, notFound } from '@listwatch/api';
import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { DynamicRequest, RequestObjects } from '../../../contract/dynamic-admission.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** The labels of an object. */
export type ObjectLabels = Readonly<Record<string, string>>;

/** The labels of a namespace; undefined when there is none. A promise only where they must be waited for. */
export type NamespaceLabels = (name: string) => ObjectLabels | undefined | Promise<ObjectLabels | undefined>;

/** A selector of an object in the storage; undefined when it selects everything. */
export function storedSelector(selector: unknown): LabelSelector | undefined {
  const read = labelSelector(recordOf(selector));
  return read.isEmpty ? undefined : read;
}

/**
 * Does the namespace of the request have the labels? Cluster-scoped objects except Namespaces always match. For a
 * Namespace that is created or changed, its new labels count. Throws the 404 for a namespace that does not exist: without its labels
 * nobody knows whether the webhook would refuse.
 */
export function selectsNamespace(
  selector: LabelSelector | undefined,
  request: DynamicRequest,
  labelsOf: NamespaceLabels,
): boolean | Promise<boolean> {
  const { namespace, definition, operation, object, subresource } = request;
  if (selector === undefined || namespace === '') return true;
  const isOwn = !definition.resource.namespaced && subresource === '' && operation !== 'DELETE';
  const labels = isOwn ? (object?.metadata.labels ?? {}) : labelsOf(namespace);
  if (labels instanceof Promise) return labels.then((found) => matchesLabels(selector, found, namespace));
  return matchesLabels(selector, labels, namespace);
}

function matchesLabels(selector: LabelSelector, labels: ObjectLabels | undefined, namespace: string): boolean {
  if (labels === undefined) throw notFound(NAMESPACES, namespace);
  return selector.matches(labels);
}

/** Does the object, or the stored one, have the labels? An object without metadata never matches. */
export function selectsObject(selector: LabelSelector | undefined, { object, old }: RequestObjects): boolean {
  return selector === undefined || hasLabels(selector, object) || hasLabels(selector, old);
}

/** The labels that selectors of objects look at; undefined for what has no metadata: the options of a connection. */
export function objectLabels(object: KubeObject | undefined): ObjectLabels | undefined {
  const metadata: KubeObject['metadata'] | undefined = object?.metadata;
  return metadata && (metadata.labels ?? {});
}

function hasLabels(selector: LabelSelector, object: KubeObject | undefined): boolean {
  const labels = objectLabels(object);
  return labels !== undefined && selector.matches(labels);
}
