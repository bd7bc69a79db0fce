/** The sequential model of one object of the API: it is absent, or has the value of the last write. */

import type { SequentialModel } from './linearizability.ts';

/** Every write has a token of its own, so that a value says which write made it. */
export type ObjectInput =
  | { readonly type: 'create'; readonly token: string }
  /** With the resourceVersion of the object that had the token `expected`. */
  | { readonly type: 'update'; readonly token: string; readonly expected: string }
  | { readonly type: 'delete' }
  | { readonly type: 'get' };

export type ObjectOutput =
  | { readonly type: 'done' }
  /** 409: it exists, has another version, or is gone. */
  | { readonly type: 'conflict' }
  /** 404. */
  | { readonly type: 'missing' }
  | { readonly type: 'value'; readonly token: string };

/** The token, or `''` when there is no object. */
export const objectRegister: SequentialModel<string, ObjectInput, ObjectOutput> = {
  initial: '',
  keyOf: (token) => token,
  step: (token, input, output) => {
    const { expected, next } = outcomeOf(token, input);
    return output === undefined || sameOutput(output, expected) ? { state: next } : undefined;
  },
};

function outcomeOf(token: string, input: ObjectInput): { readonly expected: ObjectOutput; readonly next: string } {
  const missing = { expected: { type: 'missing' }, next: '' } as const;
  const conflict = { expected: { type: 'conflict' }, next: token } as const;
  switch (input.type) {
    case 'create':
      return token === '' ? { expected: { type: 'done' }, next: input.token } : conflict;
    case 'update':
      // Of an object that is gone, too: the uid that was sent is not that of the object.
      return token !== '' && token === input.expected ? { expected: { type: 'done' }, next: input.token } : conflict;
    case 'delete':
      return token === '' ? missing : { expected: { type: 'done' }, next: '' };
    case 'get':
      return token === '' ? missing : { expected: { type: 'value', token }, next: token };
  }
}

function sameOutput(one: ObjectOutput, other: ObjectOutput): boolean {
  if (one.type !== other.type) return false;
  return one.type !== 'value' || other.type !== 'value' || one.token === other.token;
}
