import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { countOpen, openConnections } from './port-connections.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:192B 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
   1: 0100007F:192B 0100007F:A000 01 00000000:00000000 00:00000000 00000000     0        0 2 1
   2: 0100007F:A000 0100007F:192B 01 00000000:00000000 00:00000000 00000000     0        0 3 1
   3: 0100007F:192B 0100007F:A001 08 00000000:00000000 00:00000000 00000000     0        0 4 1
   4: 0100007F:192B 0100007F:A002 06 00000000:00000000 00:00000000 00000000     0        0 5 1
`;

describe('the connections to a port', () => {
  it('are those that are open at its side, also if the other side has gone', () => {
    expect(countOpen(TABLE, 6443)).toBe(2);
    expect(countOpen(TABLE, 1)).toBe(0);
  });

  it.runIf(process.platform === 'linux')('are counted while they are open', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
    const { port } = server.address() as AddressInfo;
    expect(openConnections(port)).toBe(0);
    const client = connect(port, '127.0.0.1');
    await once(server, 'connection');
    expect(openConnections(port)).toBe(1);
    client.destroy();
    server.close();
    await once(server, 'close');
  });
});
