import { isNotAcceptable, StatusError } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import {
  checkTransform,
  type EndpointKind,
  negotiate,
  negotiateFailure,
  wantsAggregatedDiscovery,
} from './negotiate.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const ALL = `application/json, application/yaml, ${PROTOBUF}`;
const STREAMS = `application/json;stream=watch, ${PROTOBUF};stream=watch`;

function refusal(accept: string, endpoint: EndpointKind): StatusError {
  try {
    negotiate(accept, endpoint);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error(`${accept} was taken`);
}

describe('a form is found', () => {
  const json = { mediaType: 'application/json', as: 'object', pretty: false, transform: undefined };
  it.each<[string | undefined, EndpointKind, object]>([
    [undefined, 'object', json],
    ['', 'list', json],
    ['*/*', 'watch', json],
    ['application/json', 'object', json],
    ['application/json;stream=watch', 'list', json],
    ['application/json;stream=watch', 'watch', json],
    ['application/json;charset=utf-8', 'object', json],
    ['application/json;pretty=1', 'object', { ...json, pretty: true }],
    ['application/json;pretty=0', 'object', json],
    ['application/yaml', 'object', { ...json, mediaType: 'application/yaml' }],
    ['application/json;q=0.1,application/yaml;q=0.9', 'list', { ...json, mediaType: 'application/yaml' }],
    ['application/yaml;stream=watch,application/json', 'watch', json],
    ['text/html, */*;q=0.8', 'object', json],
    [`${PROTOBUF},application/json`, 'list', { ...json, mediaType: PROTOBUF }],
    [PROTOBUF, 'object', { ...json, mediaType: PROTOBUF }],
    [`${PROTOBUF};stream=watch,application/json;stream=watch`, 'watch', { ...json, mediaType: PROTOBUF }],
    [`${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`, 'watch', { mediaType: PROTOBUF, as: 'metadata' }],
    [`${PROTOBUF};as=Table;v=v1;g=meta.k8s.io,application/json`, 'list', json],
    [`${PROTOBUF},application/json`, 'none', json],
    [TABLE, 'list', { as: 'table', metaVersion: 'v1', transform: 'Table' }],
    [
      'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      'object',
      { as: 'table', metaVersion: 'v1beta1' },
    ],
    ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', 'object', json],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'object', { as: 'metadata' }],
    ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'list', { as: 'metadata' }],
    [
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      'watch',
      { transform: 'PartialObjectMetadataList' },
    ],
    ['application/json;sv=v1', 'object', json],
  ])('%s for %s', (accept, endpoint, form) => {
    expect(negotiate(accept, endpoint)).toMatchObject(form);
  });

  it('is pretty when the rest of the request asks for it', () => {
    expect(negotiate(undefined, 'object', true).pretty).toBe(true);
  });
});

const router = (types: string) => `406: Not Acceptable\n\nAvailable representations: ${types}`;
const only = (types: string) => `only the following media types are accepted: ${types}`;

describe('a form is refused', () => {
  it.each<[string, EndpointKind, string, object | undefined]>([
    ['text/html', 'object', router(ALL), {}],
    ['application/cbor', 'list', router(`${ALL}, ${STREAMS}`), {}],
    ['application/cbor', 'watch', router(`${ALL}, ${STREAMS}`), {}],
    ['application/*', 'object', router(ALL), {}],
    ['application/json;as=Bogus;v=v1;g=meta.k8s.io', 'object', only(ALL), undefined],
    ['application/json;as=Table;v=v9;g=meta.k8s.io', 'list', only(ALL), undefined],
    ['application/json;as=Table', 'list', only(ALL), undefined],
    ['application/json;as=Bogus;v=v1;g=meta.k8s.io', 'watch', only(ALL), undefined],
    [`${PROTOBUF};as=Table;v=v1;g=meta.k8s.io`, 'watch', only(ALL), undefined],
    ['application/yaml', 'watch', only(STREAMS), undefined],
    ['application/yaml,application/json', 'watch', only(STREAMS), undefined],
    ['application/json;stream=other', 'list', only(ALL), undefined],
    [TABLE, 'none', only(ALL), undefined],
    [`${PROTOBUF};as=Table;v=v1;g=meta.k8s.io`, 'object', only(ALL), undefined],
    [PROTOBUF, 'none', only('application/json, application/yaml'), undefined],
  ])('%s for %s', (accept, endpoint, message, details) => {
    const error = refusal(accept, endpoint);
    expect(isNotAcceptable(error)).toBe(true);
    expect(error.status.message).toBe(message);
    expect(error.status.details).toEqual(details);
  });

  it('when the metadata of a list is asked of an object, and the other way round', () => {
    const list = negotiate('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'object');
    expect(() => checkTransform(list, 'object', '*core.ConfigMap')).toThrow(
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    );
    expect(() => checkTransform(list, 'list', '*core.ConfigMapList')).not.toThrow();
    const object = negotiate('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'list');
    expect(() => checkTransform(object, 'list', '*core.ConfigMapList')).toThrow(
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    );
    expect(() => checkTransform(object, 'object', '*core.ConfigMap')).not.toThrow();
  });
});

describe('the form of a failure', () => {
  it.each([
    [undefined, 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/*', 'application/json'],
    ['text/html', 'indented JSON'],
    [TABLE, 'indented JSON'],
  ])('for %s is %s', (accept, mediaType) => {
    const form = negotiateFailure(accept, false);
    expect(form.pretty ? 'indented JSON' : form.mediaType).toBe(mediaType);
  });
});

describe('aggregated discovery', () => {
  it.each([
    ['application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json', true],
    ['application/json, application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io;profile=nopeer', true],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', false],
    [`${PROTOBUF};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`, false],
    ['application/json', false],
    [undefined, false],
  ])('%s: %s', (accept, wanted) => {
    expect(wantsAggregatedDiscovery(accept)).toBe(wanted);
  });
});
