/** Raw HTTP/2: right frames in odd orders, frames with lies in them, and bytes that are none. */

import { connect } from 'node:tls';
import type { SeededRandom } from '../server/seeded-random.ts';
import { type ServerTarget, tlsOptions } from '../server/server-target.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const SETTINGS = http2Frame(4, 0, 0, Buffer.alloc(0));
/** `:method GET`, `:scheme https` and `:path /` from the static table; `:authority` as a literal. */
const GET_ROOT = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x41, 0x01]), Buffer.from('x')]);
/** Longer than this nobody waits for a server to hang up. */
const CONVERSATION_MS = 30;

/** A frame of any type, flags and stream. */
export function http2Frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** What is sent on one connection. */
export function http2Frames(random: SeededRandom): Buffer {
  const frames = Array.from({ length: 1 + random.below(12) }, () => oddFrame(random));
  const start = random.chance(0.95) ? PREFACE : Buffer.from('PRI * HTTP/2.0\r\n\r\nXX');
  return Buffer.concat([start, random.chance(0.95) ? SETTINGS : Buffer.alloc(0), ...frames]);
}

function oddFrame(random: SeededRandom): Buffer {
  const stream = random.pick([0, 1, 1, 1, 3, 2, 5, 2 ** 31 - 1]);
  const flags = random.pick([0, 1, 4, 5, 8, 0x20, 0xff]);
  switch (random.below(9)) {
    case 0:
      return http2Frame(1, random.pick([5, 4, 1, 0]), 1 + 2 * random.below(20), GET_ROOT);
    case 1:
      return http2Frame(1, flags, stream, randomBytes(random, 40));
    case 2:
      return http2Frame(9, flags, stream, randomBytes(random, 40));
    case 3:
      return http2Frame(3, 0, stream, randomBytes(random, 4));
    case 4:
      return http2Frame(8, 0, stream, Buffer.from([0, 0, 0, random.below(3)]));
    case 5:
      return http2Frame(4, random.below(2), 0, randomBytes(random, 12));
    case 6:
      return http2Frame(6, 0, 0, randomBytes(random, 8));
    case 7: {
      const lying = http2Frame(random.below(12), flags, stream, randomBytes(random, 30));
      lying.writeUIntBE(random.pick([0, 1, 16_384, 2 ** 24 - 1]), 0, 3);
      return lying;
    }
    default:
      return randomBytes(random, 60);
  }
}

function randomBytes(random: SeededRandom, most: number): Buffer {
  return Buffer.from(Array.from({ length: random.below(most + 1) }, () => random.below(256)));
}

/** Sends bytes on a connection of their own and hangs up; resolves when it is closed. */
export function sendFrames(target: ServerTarget, bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), ALPNProtocols: ['h2'], ...tlsOptions(target) });
    const timer = setTimeout(() => socket.destroy(), 5000);
    // A server may hang up on nonsense; that is no failure.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('secureConnect', () => {
      socket.resume();
      socket.write(bytes);
      setTimeout(() => socket.destroy(), CONVERSATION_MS);
    });
  });
}
