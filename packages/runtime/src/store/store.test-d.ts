import type { ApiObject } from '@listwatch/api';
import type { Informer } from '../informer/informer.ts';
import type { Store } from './store.ts';

declare const anyName: Store;
declare const declared: Informer<ApiObject, 'node' | 'owner'>['store'];

// Without declared indexes any name compiles.
anyName.byIndex('whatever', 'a');

// Declared ones, and the one that every store has.
declared.byIndex('node', 'a');
declared.keysByIndex('namespace', 'a');
// @ts-expect-error -- it is `node`
declared.byIndex('nodes', 'a');
// @ts-expect-error -- there is none by zone
declared.indexValues('zone');

// A store with declared indexes fits where any store does.
const plain: Store = declared;
void plain;
