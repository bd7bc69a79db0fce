import { Socket } from 'node:net';
import { FakeClock } from '@listwatch/api/fake-clock';
import { beforeEach, expect, it } from 'vitest';
import { ConnectionDealer, type DealtReader } from './connection-dealer.ts';

/** A reader that takes what it is told to take. */
class Reader implements DealtReader {
  readonly sent: { readonly id: number; readonly socket: Socket }[] = [];

  send({ id }: { readonly id: number }, socket: Socket): void {
    this.sent.push({ id, socket });
  }

  takeAll(dealer: ConnectionDealer): void {
    for (const { id } of this.sent) dealer.taken(this, id);
  }
}

let clock: FakeClock;
let dealer: ConnectionDealer;
let one: Reader;
let other: Reader;

beforeEach(() => {
  clock = new FakeClock();
  dealer = new ConnectionDealer(clock);
  one = new Reader();
  other = new Reader();
});

function deal(count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = new Socket();
    dealer.deal(socket, 'tls');
    return socket;
  });
}

it('a reader that ends before it has a connection leaves it to the next one, open', () => {
  dealer.add(one);
  const [socket] = deal(1);
  expect(one.sent).toHaveLength(1);
  dealer.add(other);
  dealer.remove(one);
  expect(other.sent.map((sent) => sent.socket)).toEqual([socket]);
  expect(socket?.destroyed).toBe(false);
  other.takeAll(dealer);
  expect(socket?.destroyed).toBe(true);
  expect(dealer.counts).toEqual({ waiting: 0, dealt: 1, again: 1, expired: 0 });
});

it('a connection that a reader has taken is never dealt again', () => {
  dealer.add(one);
  dealer.add(other);
  deal(1);
  one.takeAll(dealer);
  dealer.remove(one);
  expect(other.sent).toEqual([]);
});

it('connections wait while there is no reader, in their order, and are closed when none comes in time', async () => {
  const sockets = deal(2);
  expect(dealer.counts.waiting).toBe(2);
  dealer.add(one);
  expect(one.sent.map(({ socket }) => socket)).toEqual(sockets);
  dealer.remove(one);
  await clock.advance(10_000);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  expect(dealer.counts).toMatchObject({ waiting: 0, expired: 2 });
  dealer.add(other);
  expect(other.sent).toEqual([]);
});

it('the reader with the fewest connections and watches gets the next one', () => {
  dealer.add(one);
  dealer.add(other);
  deal(6);
  expect([one.sent.length, other.sent.length]).toEqual([3, 3]);
  one.takeAll(dealer);
  other.takeAll(dealer);
  // One has lost two of its three, the other has watches on them.
  dealer.loaded(one, { taken: 3, open: 1, watches: 1 });
  dealer.loaded(other, { taken: 3, open: 3, watches: 30 });
  deal(10);
  expect([one.sent.length, other.sent.length]).toEqual([13, 3]);
});

it('a reader that tells its load late is charged for what it has taken since', () => {
  dealer.add(one);
  dealer.add(other);
  deal(8);
  one.takeAll(dealer);
  other.takeAll(dealer);
  dealer.loaded(one, { taken: 0, open: 0, watches: 0 });
  dealer.loaded(other, { taken: 4, open: 4, watches: 0 });
  deal(2);
  expect([one.sent.length, other.sent.length]).toEqual([5, 5]);
});

it('a reader that takes nothing holds back few connections', () => {
  dealer.add(one);
  deal(100);
  expect(one.sent.length).toBeLessThan(20);
  dealer.add(other);
  for (let round = 0; round < 100; round++) other.takeAll(dealer);
  expect(one.sent.length + other.sent.length).toBe(100);
  expect(dealer.counts.waiting).toBe(one.sent.length);
});

it('closing ends the connections that nobody has', () => {
  dealer.add(one);
  const [taken, open] = deal(2);
  dealer.taken(one, one.sent[0]?.id ?? 0);
  const late = deal(20);
  dealer.close();
  expect([taken, open, ...late].every((socket) => socket?.destroyed === true)).toBe(true);
  expect(dealer.counts.waiting).toBe(0);
});
