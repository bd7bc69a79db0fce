import { MEDIA_TYPE } from '@listwatch/api';
import { KindSchemas } from '@listwatch/kinds/schemas';
import { builtInKind, defineBuiltInKind } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { envelope, messageParts } from '../../../../schema/src/protobuf/written-message.fixture.ts';
import { configMap, deployment } from '../../kinds/built-in-definitions.fixture.ts';
import { decodeObject } from './decode-object.ts';

it.each([
  ['protobuf', MEDIA_TYPE.protobuf],
  ['JSON', MEDIA_TYPE.json],
] as const)('a body in %s of a kind that nobody has used is named as what it is', async (_, mediaType) => {
  const object = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'a' }, spec: { replicas: 1 } };
  const { schemas, data } = deployment;
  const bytes =
    mediaType === MEDIA_TYPE.protobuf
      ? envelope('apps/v1', 'Deployment', Buffer.concat(messageParts(schemas.set, data.type, object)))
      : Buffer.from(JSON.stringify(object));
  // With schemas of its own, which nothing has loaded.
  const unused = defineBuiltInKind(builtInKind('apps/v1.Deployment').data, {}, new KindSchemas());
  const find = (group: string, version: string, plural: string): typeof unused | undefined =>
    group === 'apps' && version === 'v1' && plural === 'deployments' ? unused : undefined;
  await expect(decodeObject({ find }, configMap, { mediaType, bytes }, 'Warn')).rejects.toMatchObject({
    httpCode: 400,
    message:
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
  });
});
