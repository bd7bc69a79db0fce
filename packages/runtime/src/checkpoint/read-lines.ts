/** Reads a file line by line, as bytes. */

import type { FileHandle } from 'node:fs/promises';

const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Lines without their newline; what follows the last newline is no line. Not `readline`: that also splits at U+2028, which
 * JSON leaves in its strings.
 */
export async function* readLines(file: FileHandle): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
    if (bytesRead === 0) return;
    const block =
      rest.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = block.indexOf(NEWLINE, start); end >= 0; end = block.indexOf(NEWLINE, start)) {
      yield block.subarray(start, end);
      start = end + 1;
    }
    rest = block.subarray(start);
  }
}
