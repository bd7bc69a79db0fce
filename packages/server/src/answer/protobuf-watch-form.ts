/** The forms of a watch in protobuf. */

import { internalError, type Status } from '@listwatch/api';
import type { CachedObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ObjectEventType } from '../cache/watch-scope.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import { encodeRecord, messagePlan } from '../stored/object-message.ts';
import { bookmarkMetadata } from './bookmark-metadata.ts';
import { ProtobufFraming } from './protobuf-frame.ts';
import { metadataMessage, statusMessage } from './sealed-message.ts';
import type { WatchForm } from './watch-form.ts';

const STATUS = new ProtobufFraming({ apiVersion: 'v1', kind: 'Status' });

/** The form of objects, or of their metadata. */
export function protobufWatchForm(cache: ResourceCache, { as, metaVersion }: AnswerForm): WatchForm {
  if (as !== 'metadata') {
    const type = cache.layout.type;
    return form(cache, `protobuf ${type.apiVersion} ${type.kind}`, new ProtobufFraming(type), (message) => message);
  }
  const apiVersion = `meta.k8s.io/${metaVersion}`;
  const framing = new ProtobufFraming({ apiVersion, kind: 'PartialObjectMetadata' });
  return { ...form(cache, `protobuf metadata ${metaVersion}`, framing, metadataMessage), isCostly: true };
}

function form(
  cache: ResourceCache,
  id: string,
  framing: ProtobufFraming,
  part: (message: Buffer) => Buffer,
): WatchForm {
  const { definition } = cache;
  const pieces = (type: ObjectEventType, object: CachedObject): readonly Buffer[] => {
    try {
      return framing.pieces(type, part(cache.message(object)));
    } catch (error) {
      // The watch must not take down the feed of all others: its client relists, and is told the same.
      return [errorFrame(unencodable(error).status)];
    }
  };
  return {
    id,
    event: (type, object) => Buffer.concat(pieces(type, object)),
    addedPieces: (objects) => objects.flatMap((object) => pieces('ADDED', object)),
    bookmark: (revision, end) => {
      const object = { metadata: bookmarkMetadata(revision, end), ...definition.emptyFields };
      return framing.frame('BOOKMARK', part(encodeRecord(messagePlan(definition), object)));
    },
    error: errorFrame,
  };
}

function errorFrame(status: Status): Buffer {
  return STATUS.frame('ERROR', statusMessage(status));
}

function unencodable(error: unknown): ReturnType<typeof internalError> {
  return internalError(`an object cannot be encoded as protobuf: ${error instanceof Error ? error.message : ''}`);
}
