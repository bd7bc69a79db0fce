/** Compression: are large lists sent in gzip? */

import { gunzipSync } from 'node:zlib';
import { resource } from '@listwatch/api';
import { byteCountText } from '../amount-text.ts';
import { CannotCheck, type Check } from '../check.ts';
import { fail, note, ok } from '../finding.ts';
import { type MeasuredList, sizeOf } from '../list-cost.ts';
import { subjectPath } from '../subject-path.ts';

/** kube-apiserver does not compress smaller answers. */
const LEAST_BYTES = 160 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const PAGE = '500';

export const compressionCheck: Check = {
  name: 'compression',
  about: 'gzip of large lists',
  async run({ facts, ask }) {
    const [largest] = (await facts.costs()).toSorted((a, b) => sizeOf(b) - sizeOf(a));
    if (largest?.type !== 'measured' || largest.bytes < LEAST_BYTES) {
      throw new CannotCheck('no list is larger than 160 KiB, and servers do not compress small ones');
    }
    const { name } = largest;
    const answer = await ask(pathOf(largest), { headers: { 'accept-encoding': 'gzip' }, maxBytes: MAX_BYTES });
    const { bytes, headers, isComplete, status } = answer;
    const encoding = headers['content-encoding'] ?? 'identity';
    const data = { encoding, wireBytes: bytes.length, jsonBytes: largest.bytes };
    if (status !== 200) throw new CannotCheck(`the list of ${name} is answered with ${status}`);
    if (encoding !== 'gzip') {
      const advice =
        'Lists take about ten times the bandwidth. Let the proxy pass Accept-Encoding, or switch on APIResponseCompression in the server.';
      return [note(`The list of ${name} (${byteCountText(largest.bytes)}) is not compressed.`, advice, data)];
    }
    if (isComplete && !isGzip(bytes)) {
      const advice = 'Something between changes answers. Connect without it, or pass compression: false to connect.';
      return [fail(`The list of ${name} says that it is gzip, and is not.`, advice, data)];
    }
    return [
      ok(
        `The list of ${name} takes ${byteCountText(bytes.length)} on the wire instead of ${byteCountText(largest.bytes)}.`,
        data,
      ),
    ];
  },
};

function pathOf({ served, namespace, name }: MeasuredList): string {
  return subjectPath({ resource: resource(served), namespace, name }, { limit: PAGE });
}

function isGzip(bytes: Buffer): boolean {
  try {
    gunzipSync(bytes, { maxOutputLength: 64 * MAX_BYTES });
    return true;
  } catch {
    return false;
  }
}
