import type { ApiObject } from '@listwatch/api';
import { expect, it } from 'vitest';
import { selectionTest } from './source-selection.ts';

const object: ApiObject = { metadata: { name: 'a', namespace: 'n', labels: { app: 'web' } } };
const node: ApiObject = { metadata: { name: 'a' } };

it.each([
  ['everything', {}, [true, true]],
  ['a namespace', { namespace: 'n' }, [true, false]],
  ['another namespace', { namespace: 'm' }, [false, false]],
  ['several namespaces', { namespaces: ['m', 'n'] }, [true, false]],
  ['a label', { labelSelector: 'app=web' }, [true, false]],
  ['another label', { labelSelector: 'app!=web' }, [false, true]],
  ['a name', { fieldSelector: 'metadata.name=a' }, [true, true]],
  ['another name', { fieldSelector: 'metadata.name=b' }, [false, false]],
  ['a namespace as a field', { fieldSelector: 'metadata.namespace!=n' }, [false, true]],
  ['a field that only the server knows', { fieldSelector: 'metadata.name=b,status.phase=Running' }, [true, true]],
])('a cache of %s', (_, selection, expected) => {
  const selects = selectionTest(selection);
  expect([selects(object), selects(node)]).toEqual(expected);
});
