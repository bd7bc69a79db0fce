/** Shuffle sharding: which queues of a level a flow may use. The same hands as kube-apiserver deals. */

import { createHash } from 'node:crypto';

/** The hash of a flow: the first eight bytes, little endian, of SHA-256 over the schema's name, a zero byte and the distinguisher. */
export function flowHash(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${schema}\0${distinguisher}`, 'utf8').digest().readBigUInt64LE(0);
}

/** The indexes of different queues, in the order in which they are dealt. */
export function dealHand(hash: bigint, queues: number, handSize: number): readonly number[] {
  const drawn: number[] = [];
  const hand: number[] = [];
  let rest = hash;
  for (let index = 0; index < handSize; index += 1) {
    const left = BigInt(queues - index);
    const draw = Number(rest % left);
    rest /= left;
    let card = draw;
    for (let earlier = index - 1; earlier >= 0; earlier -= 1) if (card >= (drawn[earlier] ?? 0)) card += 1;
    drawn.push(draw);
    hand.push(card);
  }
  return hand;
}
