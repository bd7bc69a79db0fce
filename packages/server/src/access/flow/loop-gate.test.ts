import { describe, expect, it } from 'vitest';
import { FakeLoop } from './fake-loop.fixture.ts';
import { LoopGate } from './loop-gate.ts';
import { type LoopClaim, LoopFlow, LoopLevel } from './loop-share.ts';

function claimOf(flow: LoopFlow): LoopClaim {
  return { flow, spentMs: 0 };
}

/** A gate, and what ran in which order. */
class Scene {
  readonly loop = new FakeLoop();
  readonly gate = new LoopGate(this.loop);
  readonly ran: { readonly name: string; readonly at: number }[] = [];

  /** One stretch that arrives at a time. */
  stretch(name: string, flow: LoopFlow, { at = 0, ms = 1 }: { readonly at?: number; readonly ms?: number } = {}): void {
    this.loop.arrive(at, () => void this.#run(name, flow, ms));
  }

  async #run(name: string, flow: LoopFlow, ms: number): Promise<void> {
    await this.gate.turn(claimOf(flow));
    this.ran.push({ name, at: this.loop.now() });
    this.loop.compute(ms);
  }

  get names(): readonly string[] {
    return this.ran.map(({ name }) => name);
  }
}

describe('the gate for loop time', () => {
  it('lets a request that is alone go on at once, again and again', async () => {
    const { loop, gate } = new Scene();
    const claim = claimOf(new LoopFlow(new LoopLevel(1, false)));
    expect(gate.turn(claim)).toBeUndefined();
    loop.compute(1);
    expect(gate.turn(claim)).toBeUndefined();
    await loop.run();
    expect([claim.spentMs, gate.waiting]).toEqual([1, 0]);
  });

  it('asks a stretch of more than 2 ms to let the loop look for what has arrived', async () => {
    const { loop, gate } = new Scene();
    const claim = claimOf(new LoopFlow(new LoopLevel(1, false)));
    void gate.turn(claim);
    loop.compute(2);
    const turn = gate.turn(claim);
    expect(turn).toBeInstanceOf(Promise);
    await Promise.all([turn, loop.run()]);
    expect(gate.waiting).toBe(0);
  });

  it('serves a new flow before the backlog of another one', async () => {
    const scene = new Scene();
    const level = new LoopLevel(20, false);
    const [noisy, quiet] = [new LoopFlow(level), new LoopFlow(level)];
    for (let index = 0; index < 64; index += 1) scene.stretch('noisy', noisy);
    scene.stretch('quiet', quiet, { at: 10.5, ms: 0.1 });
    await scene.loop.run();
    const { at = 0 } = scene.ran.find(({ name }) => name === 'quiet') ?? {};
    // The slice that ran when it came, of at most two stretches.
    expect(at).toBeLessThanOrEqual(10.5 + 2.5);
    expect(scene.names).toHaveLength(65);
  });

  it('divides the loop among flows of a level alike, and among levels by their weights', async () => {
    const scene = new Scene();
    const [high, low] = [new LoopLevel(30, false), new LoopLevel(10, false)];
    const flows = { a: new LoopFlow(high), b: new LoopFlow(low), c: new LoopFlow(low) };
    for (const [name, flow] of Object.entries(flows)) {
      for (let index = 0; index < 400; index += 1) scene.stretch(name, flow);
    }
    await scene.loop.run(400);
    const count = (name: string): number => scene.names.filter((one) => one === name).length;
    expect(count('a')).toBeGreaterThan(290);
    expect(count('a')).toBeLessThan(310);
    expect(Math.abs(count('b') - count('c'))).toBeLessThanOrEqual(2);
  });

  it('runs exempt requests at once and charges nobody for them', async () => {
    const scene = new Scene();
    const flow = new LoopFlow(new LoopLevel(1, false));
    const exempt = new LoopFlow(new LoopLevel(1, true));
    for (let index = 0; index < 10; index += 1) scene.stretch('other', flow);
    scene.stretch('exempt', exempt, { ms: 5 });
    await scene.loop.run();
    // The first two of the others had their slice when it came.
    expect(scene.names.indexOf('exempt')).toBeLessThanOrEqual(2);
    expect(exempt.use.total).toBe(5);
    expect(flow.use.total).toBe(10);
  });

  it('charges what watchers cost to the flow that has written', async () => {
    const scene = new Scene();
    const level = new LoopLevel(1, false);
    const [writer, reader] = [new LoopFlow(level), new LoopFlow(level)];
    for (let index = 0; index < 60; index += 1) {
      scene.stretch('reader', reader);
      scene.stretch('writer', writer);
    }
    scene.loop.arrive(10, () => scene.gate.charge(writer, 20));
    await scene.loop.run(40);
    const writers = scene.names.filter((name) => name === 'writer').length;
    expect(writers).toBeGreaterThanOrEqual(9);
    expect(writers).toBeLessThanOrEqual(12);
  });

  it('does not charge a request for what ran meanwhile', async () => {
    const { loop, gate } = new Scene();
    const claim = claimOf(new LoopFlow(new LoopLevel(1, false)));
    void gate.turn(claim);
    loop.compute(3);
    gate.exclude(2);
    await loop.run();
    expect(claim.spentMs).toBe(1);
  });

  it('gives no credit for having been idle', async () => {
    const scene = new Scene();
    const level = new LoopLevel(1, false);
    const [busy, idle] = [new LoopFlow(level), new LoopFlow(level)];
    for (let index = 0; index < 300; index += 1) scene.stretch('busy', busy);
    for (let index = 0; index < 100; index += 1) scene.stretch('idle', idle, { at: 100 });
    await scene.loop.run(200);
    const idles = scene.names.filter((name) => name === 'idle').length;
    expect(idles).toBeLessThanOrEqual(53);
  });

  it('gives a flow that waits its turns, however many new flows come', async () => {
    const scene = new Scene();
    const level = new LoopLevel(20, false);
    const waiting = new LoopFlow(level);
    for (let index = 0; index < 5; index += 1) scene.stretch('waiting', waiting);
    // Each millisecond somebody comes who was never seen before: there is always a new flow.
    for (let at = 0; at < 1000; at += 1) scene.stretch('new', new LoopFlow(level), { at });
    await scene.loop.run(1000);
    expect(scene.names.filter((name) => name === 'waiting')).toHaveLength(5);
    expect(scene.ran.filter(({ name }) => name === 'waiting').at(-1)?.at).toBeLessThan(80);
  });

  it('counts what a stretch does in ticks, as Node sends answers', async () => {
    const gate = new LoopGate();
    const claim = claimOf(new LoopFlow(new LoopLevel(1, false)));
    await Promise.resolve();
    expect(gate.turn(claim)).toBeUndefined();
    await Promise.resolve();
    process.nextTick(() => {
      const until = performance.now() + 3;
      while (performance.now() < until);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(claim.spentMs).toBeGreaterThanOrEqual(3);
  });
});
