/** All that is done to one object of a kind, as requests to two servers. */

import type { KindData } from '@listwatch/kinds/data';
import type { OwnedBody } from './kind-bodies/owned-body.ts';
import { KINDS_NAMESPACE, type KindRequest } from './kind-side.ts';

/** Where a kind is served. */
export interface KindPlace {
  readonly collection: string;
  readonly name: string;
  /** The object as it is sent. */
  readonly object: Readonly<Record<string, unknown>>;
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The place of a body; the labels are those that its selectors choose. */
export function placeOf({ apiVersion, kind, plural, namespaced, name = 'rich', body }: OwnedBody): KindPlace {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return {
    collection: `${root}/${namespaced ? `namespaces/${KINDS_NAMESPACE}/` : ''}${plural}`,
    name,
    object: { apiVersion, kind, metadata: { name, labels: { app: 'a' } }, ...body },
  };
}

function get(path: string, accept: string): KindRequest {
  return { method: 'GET', path, headers: { accept } };
}

function labelled(value: string): object {
  return { metadata: { labels: { changed: value } } };
}

/** Creates, changes, reads and deletes an object in every way. */
export function storyOf(
  body: OwnedBody,
  { verbs, subresources }: Pick<KindData, 'subresources' | 'verbs'>,
): readonly KindRequest[] {
  const { collection, name, object } = placeOf(body);
  const path = `${collection}/${name}`;
  const patch = (type: string, sent: unknown, at = path, query = ''): KindRequest => ({
    method: 'PATCH',
    path: `${at}?fieldManager=side${query}`,
    headers: { 'content-type': type },
    body: sent,
  });
  const { apiVersion, kind } = body;
  const strict = ['Strict', 'Warn', 'Ignore'].map((mode) => ({
    method: 'POST',
    path: `${collection}?dryRun=All&fieldValidation=${mode}`,
    body: { ...object, metadata: { name: `${name}-2`, labels: { app: 'a' }, unknownField: 1 }, another: {} },
  }));
  return [
    ...strict,
    { method: 'POST', path: collection, body: object },
    { method: 'POST', path: collection, body: object },
    ...(body.change === undefined ? [] : [patch(MERGE, body.change)]),
    patch(MERGE, labelled('merge')),
    patch(STRATEGIC, labelled('strategic')),
    patch(JSON_PATCH, [{ op: 'add', path: '/metadata/labels/changed', value: 'json' }]),
    patch(JSON_PATCH, [{ op: 'test', path: '/metadata/name', value: 'other' }]),
    patch(APPLY, { apiVersion, kind, metadata: { name, labels: { applied: 'yes' } } }, path, '&force=true'),
    ...['Strict', 'Warn', 'Ignore'].map((mode) =>
      patch(MERGE, { bogus: 1, metadata: { annotations: { mode } } }, path, `&fieldValidation=${mode}`),
    ),
    { method: 'PUT', path, body: { ...object, metadata: { name, labels: { app: 'a', put: 'yes' } } } },
    { method: 'PUT', path, body: { ...object, metadata: { name: 'other' } } },
    { method: 'PUT', path, body: { ...object, metadata: { name, resourceVersion: '1' } } },
    ...(body.status === undefined || subresources['status'] === undefined
      ? []
      : [
          patch(MERGE, { status: body.status }, `${path}/status`),
          { method: 'PUT', path: `${path}/status`, body: { ...object, status: body.status } },
          get(`${path}/status`, 'application/json'),
        ]),
    ...(verbs.includes('list')
      ? [
          get(path, 'application/json'),
          get(path, TABLE),
          get(`${collection}?includeObject=None&fieldSelector=metadata.name%3D${name}`, TABLE),
          get(`${collection}?fieldSelector=metadata.name%3D${name}`, 'application/json'),
          get(path, PROTOBUF),
          get(`${collection}?fieldSelector=metadata.name%3D${name}`, PROTOBUF),
          get(
            `${collection}?fieldSelector=metadata.name%3D${name}`,
            `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`,
          ),
        ]
      : []),
    { method: 'DELETE', path: `${path}?dryRun=All` },
    { method: 'DELETE', path: `${path}?gracePeriodSeconds=0&propagationPolicy=Background` },
    { method: 'DELETE', path: `${path}?propagationPolicy=Background` },
  ];
}
