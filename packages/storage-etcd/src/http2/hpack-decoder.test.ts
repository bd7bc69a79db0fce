import { once } from 'node:events';
import { createServer } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { Http2GrpcConnection } from '../grpc/http2-grpc-connection.ts';
import { headerBlock } from './header-block.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { decodeHuffman } from './huffman-text.ts';

const PRINTABLE = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => i + 32));

function decode(...blocks: readonly string[]): object[] {
  const decoder = new HpackDecoder();
  return blocks.map((block) => ({ ...decoder.decode(Buffer.from(block, 'hex')) }));
}

describe('header blocks', () => {
  it('of RFC 7541, appendix C.6, are read: Huffman, the table, and its evictions', () => {
    const [first, second] = decode(
      '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
      '4883640effc1c0bf',
    );
    const same = {
      'cache-control': 'private',
      date: 'Mon, 21 Oct 2013 20:13:21 GMT',
      location: 'https://www.example.com',
    };
    expect(first).toEqual({ ':status': '302', ...same });
    expect(second).toEqual({ ':status': '307', ...same });
  });

  it('find a field in a table that it fills to the last byte, and not in one that is a byte too small', () => {
    // A table of 34 bytes, which `a: b` fills, and then the first field of the table.
    expect(decode('3f03', '4001610162', 'be').slice(1)).toEqual([{ a: 'b' }, { a: 'b' }]);
    expect(() => decode('3f02', '4001610162', 'be')).toThrow('the server named the header 62, which there is not');
    // A second one takes its place, and a smaller table loses what does not fit.
    expect(decode('3f03', '4001610162', '4001630164', 'be').at(-1)).toEqual({ c: 'd' });
    expect(() => decode('4001610162', '3f02', 'be')).toThrow('the server named the header 62');
    expect(() => decode('4001610162', '4001630164', '3f03', 'bf')).toThrow('the server named the header 63');
  });

  it.each([
    ['a number beyond its block', '7f'],
    ['a number of five bytes and more', 'ff8080808080'],
    ['a text beyond its block', '400261'],
    ['the header 0', '80'],
    ['a table that is too large', '3fe21f'],
  ])('with %s are refused', (_, block) => {
    expect(() => decode(block)).toThrow('the server');
  });

  it('that we write are read as they were', () => {
    const fields = { ':path': '/a', long: 'x'.repeat(40_000), empty: '', exact: 'y'.repeat(127), text: PRINTABLE };
    expect({ ...new HpackDecoder().decode(headerBlock(fields)) }).toEqual(fields);
  });

  it('of another implementation are read on and on: every character, and more than the table holds', async () => {
    const server = createServer();
    let call = 0;
    server.on('stream', (stream) => {
      call += 1;
      const message = encodeURIComponent(`${call} ${PRINTABLE} ${'v'.repeat(call % 300)}`);
      const extra = { 'content-type': 'application/grpc', 'grpc-status': '5', 'grpc-message': message };
      stream.respond({ ':status': 200, ...extra, [`x-${call % 90}`]: PRINTABLE.trim() }, { endStream: true });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const limits = { connectTimeoutMs: 20_000, keepAliveIntervalMs: 20_000, keepAliveTimeoutMs: 20_000 };
    const connection = new Http2GrpcConnection({ url: `http://127.0.0.1:${port}`, maxMessageBytes: 1000, ...limits });
    await connection.ready(20_000);
    for (let i = 1; i <= 300; i += 1) {
      const failed = connection.unary('/', Buffer.alloc(1), {}, { timeoutMs: 20_000 });
      const details = `${i} ${PRINTABLE} ${'v'.repeat(i % 300)}`;
      await expect(failed).rejects.toMatchObject({ details });
    }
    connection.close();
    server.close();
  });

  it.each([
    ['a header that there is not', 'be', /named the header 62/u],
    ['the header 0', '80', /named the header 0/u],
    ['text beyond the block', '0005616263', /beyond its block/u],
    ['a number beyond the block', '7f80', /beyond its block/u],
    ['a number that is too large', '7fffffffffff7f', /too large/u],
    ['a table that is too large', '3fe2ff03', /header table of/u],
    ['Huffman text that is none', '00 82fffc 0161', /cannot be decoded/u],
    ['Huffman text that ends with zeros', '00 8118 0161', /cannot be decoded/u],
  ])('with %s are refused', (_, block, message) => {
    expect(() => decode(block.replaceAll(' ', ''))).toThrow(message);
  });

  it('that are small and stand for much are refused', () => {
    const decoder = new HpackDecoder();
    decoder.decode(Buffer.concat([Buffer.from([0x40]), headerBlock({ a: 'x'.repeat(3000) }).subarray(1)]));
    expect(() => decoder.decode(Buffer.alloc(100, 0xbe))).toThrow(/more than 65536 bytes of headers/u);
  });

  it('cannot change the prototype of the fields', () => {
    const fields = new HpackDecoder().decode(headerBlock({ ['__proto__x'.slice(0, 9)]: 'evil' }));
    expect(Object.getPrototypeOf(fields)).toBe(null);
  });

  it('decode an empty Huffman text', () => {
    expect(decodeHuffman(Buffer.alloc(0), 0, 0)).toBe('');
  });
});
