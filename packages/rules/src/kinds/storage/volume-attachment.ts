/** VolumeAttachment: a request to attach a volume to a node. */

import {
  checkDnsSubdomain,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  utf8Length,
} from '@listwatch/api';
import { isJsonNumber, isRecord, type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { rangeText } from '../../validation/value-rules.ts';
import { validateDriverName, validateMapSize } from './storage-rules.ts';

type Errors = readonly FieldError[];

/** The rules of VolumeAttachment. */
export const volumeAttachment: KindRules = {
  columns: namedTable(
    [
      column('Attacher', 'The driver that attaches it.', { format: 'name' }),
      column('PV', 'The volume.'),
      column('Node', 'The node that it is attached to.'),
      column('Attached', 'Whether it is attached.', { type: 'boolean' }),
    ],
    (object) => {
      const { attacher, source, nodeName } = recordOf(object['spec']);
      return [
        textOf(attacher),
        textOf(recordOf(source)['persistentVolumeName']),
        textOf(nodeName),
        recordOf(object['status'])['attached'] === true,
      ];
    },
  ),
  validate,
  validateUpdate: (object, old) => [...validate(object), ...immutable('spec', shown(object), shown(old))],
  strategy: { allowsUnconditionalUpdate: false },
};

function validate(object: KubeObject): Errors {
  const { attacher, source, nodeName } = recordOf(object['spec']);
  const { persistentVolumeName } = recordOf(source);
  return [
    ...validateDriverName(attacher, 'spec.attacher'),
    ...validateSource(recordOf(source)),
    ...checkDnsSubdomain(textOf(nodeName)).map((complaint) =>
      fieldInvalid('spec.nodeName', textOf(nodeName), complaint),
    ),
    ...validateStatus(recordOf(object['status'])),
    ...(typeof persistentVolumeName === 'string'
      ? checkDnsSubdomain(persistentVolumeName).map((complaint) =>
          fieldInvalid('spec.source.persistentVolumeName', persistentVolumeName, complaint),
        )
      : []),
  ];
}

/** The spec with Go field names, as the message shows it. */
function shown(object: KubeObject): JsonRecord {
  const { attacher, source, nodeName } = recordOf(object['spec']);
  const { persistentVolumeName = null, inlineVolumeSpec = null } = recordOf(source);
  return {
    Attacher: attacher,
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: nodeName,
  };
}

function validateSource({ inlineVolumeSpec, persistentVolumeName }: JsonRecord): Errors {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const isNamed = typeof persistentVolumeName === 'string';
  if (!isRecord(inlineVolumeSpec) && !isNamed) return [fieldRequired('spec.source', detail)];
  if (isRecord(inlineVolumeSpec) && isNamed) return [fieldForbidden('spec.source', detail)];
  return persistentVolumeName === ''
    ? [fieldRequired('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName')]
    : [];
}

function validateStatus({ attachmentMetadata, attachError, detachError }: JsonRecord): Errors {
  return [
    ...validateMapSize(attachmentMetadata, 'status.attachmentMetadata'),
    ...validateProblem(recordOf(attachError), 'status.attachError'),
    ...validateProblem(recordOf(detachError), 'status.detachError'),
  ];
}

const MESSAGE_MAX = 1024;
/** The limit in the message of kube-apiserver, which differs from the enforced limit. */
const MESSAGE_MAX_SAID = 256 * 1024;

function validateProblem({ message, errorCode }: JsonRecord, field: string): Errors {
  return [
    ...(utf8Length(textOf(message)) > MESSAGE_MAX ? [fieldTooLong(`${field}.message`, MESSAGE_MAX_SAID)] : []),
    ...(isJsonNumber(errorCode) && errorCode < 0
      ? [fieldInvalid(`${field}.errorCode`, errorCode, rangeText(0, 2 ** 31 - 1))]
      : []),
  ];
}
