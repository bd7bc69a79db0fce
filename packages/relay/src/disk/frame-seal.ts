/** Seals the frames of a file: none can be changed, moved or, with a key, read by others. */

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';

/** A frame as it lies in the file. */
export interface SealedFrame {
  readonly body: Uint8Array;
  /** Of {@link TAG_BYTES}. */
  readonly tag: Uint8Array;
}

/** `place`: the number of a frame in its file. The same frame at another place does not open. */
export interface FrameSeal {
  seal(body: Uint8Array, place: number): SealedFrame;
  /** Undefined: it is not what was sealed. */
  open(frame: SealedFrame, place: number): Buffer | undefined;
}

export const TAG_BYTES = 16;
/** Of a key, and of the random name of a file. */
export const KEY_BYTES = 32;
export const FILE_ID_BYTES = 16;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const PURPOSE = 'listwatch relay journal';

/** A checksum: what was damaged is noticed, what was forged is not. */
export function checksumSeal(fileId: Uint8Array): FrameSeal {
  const tagOf = (body: Uint8Array, place: number): Buffer =>
    createHash('sha256').update(fileId).update(nonceOf(place)).update(body).digest().subarray(0, TAG_BYTES);
  return {
    seal: (body, place) => ({ body, tag: tagOf(body, place) }),
    open: ({ body, tag }, place) =>
      tagOf(body, place).equals(tag) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined,
  };
}

/** AES-256-GCM with a key for this file alone, so that the number of a frame is a nonce that is used once. */
export function encryptingSeal(key: Uint8Array, fileId: Uint8Array): FrameSeal {
  const own = Buffer.from(hkdfSync('sha256', key, fileId, PURPOSE, KEY_BYTES));
  return {
    seal(body, place) {
      const cipher = createCipheriv(CIPHER, own, nonceOf(place), { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(body), cipher.final()]);
      return { body: sealed, tag: cipher.getAuthTag() };
    },
    open({ body, tag }, place) {
      const decipher = createDecipheriv(CIPHER, own, nonceOf(place), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

function nonceOf(place: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(place), NONCE_BYTES - 8);
  return nonce;
}
