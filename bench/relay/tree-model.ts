/** A tree of relays with any number of followers, simulated: delivery, faults, memory, and what the top is asked. Start here. */

import { LatencyHistogram } from '../server/latency-histogram.ts';
import { SimulatedCores, SimulatedLoop, SimulatedTime } from './simulated-time.ts';
import type { TreeCosts } from './tree-costs.ts';
import { type TreeChange, type TreeLink, TreeNode } from './tree-node.ts';

/** What goes wrong, one second after the changes have begun to be counted. */
export type TreeFault =
  | 'none'
  | 'a leaf dies'
  | 'a top relay dies'
  | 'the upstream is away for 10 s'
  | 'a leaf is cut off for 10 s'
  | '410 everywhere'
  | 'rights change'
  | 'all leaves start anew';

export interface TreePlan {
  /** Relays of each level below the upstream, the last ones with the followers: `[3, 64]`. */
  readonly levels: readonly number[];
  readonly followers: number;
  /** Changes a second. */
  readonly rate: number;
  readonly changeBytes: number;
  /** Of a list of everything. */
  readonly listBytes: number;
  readonly costs: TreeCosts;
  readonly link: TreeLink;
  readonly seconds: number;
  readonly fault?: TreeFault | undefined;
  /** Users of each leaf: each is asked about once. Default: all followers are of 200 users. */
  readonly usersPerLeaf?: number | undefined;
  /** All relays and clients share so many cores. Default: each relay has a core, and clients have their own machines. */
  readonly cores?: number | undefined;
  /** CPU of a client for one event, in microseconds, and how many processes the clients are. Counts with `cores` only. */
  readonly client?: { readonly event: number; readonly processes: number } | undefined;
  /** Milliseconds until a change has left the upstream. */
  readonly commitMs?: number | undefined;
  /** Cores of the upstream for its answers. */
  readonly upstreamCores?: number | undefined;
}

export interface TreeResult {
  readonly delivered: number;
  readonly latencies: LatencyHistogram;
  /** Cores of the busiest leaf, and of the busiest relay above the leaves. */
  readonly leafCores: number;
  readonly topCores: number;
  readonly leafBytes: number;
  /** From the fault until the last follower goes on. */
  readonly resumedMs: number;
  /** Watches, lists and reviews that the upstream was asked for because of the fault. */
  readonly upstreamRequests: number;
  /** Whole lists that followers had to read again. */
  readonly relists: number;
}

const WARM_UP_MS = 2000;
const FAULT_MS = 1000;
/** Clients come back within a second: the backoff of client-go begins with 0.8 s. */
const BACKOFF_MS = 1000;
const AWAY_MS = 10_000;
/** Followers that come back are counted together. */
const TOGETHER = 16;
const USERS = 200;

/** Simulates it; ends when all changes have been delivered. */
export function simulateTree(plan: TreePlan): TreeResult {
  return new TreeRun(plan).run();
}

class TreeRun {
  readonly #plan: TreePlan;
  readonly #time = new SimulatedTime();
  readonly #levels: TreeNode[][] = [];
  readonly #latencies = new LatencyHistogram();
  readonly #clients: SimulatedLoop[] = [];
  readonly #upstream: SimulatedLoop;
  /** Changes of which nobody above the first level knows yet: the upstream is away. */
  #held: TreeChange[] | undefined;
  readonly #past: TreeChange[] = [];
  #delivered = 0;
  #turn = 0;
  #resumedMs = 0;
  #upstreamRequests = 0;
  #relists = 0;

  constructor(plan: TreePlan) {
    this.#plan = plan;
    const { levels, followers, costs, link, changeBytes, cores, client } = plan;
    const shared = cores === undefined ? undefined : new SimulatedCores(this.#time, cores);
    this.#upstream = new SimulatedLoop(new SimulatedCores(this.#time, plan.upstreamCores ?? 1));
    for (const [level, count] of levels.entries()) {
      const above = this.#levels[level - 1];
      const nodes = Array.from({ length: count }, (_, i) => {
        const node = new TreeNode(`${level}/${i}`, {
          time: this.#time,
          cores: shared ?? new SimulatedCores(this.#time, 1),
          costs,
          link,
          changeBytes,
          deliver: (number, changes) => this.#deliver(number, changes),
        });
        const parent = above?.[i % above.length];
        node.parent = parent;
        parent?.children.add(node);
        return node;
      });
      this.#levels.push(nodes);
    }
    for (const leaf of this.#leaves) leaf.followers = Math.round(followers / this.#leaves.length);
    if (shared !== undefined && client !== undefined) {
      for (let i = 0; i < client.processes; i += 1) this.#clients.push(new SimulatedLoop(shared));
    }
  }

  run(): TreeResult {
    const { rate, seconds, costs, fault = 'none' } = this.#plan;
    const end = WARM_UP_MS + seconds * 1000;
    for (let number = 0; (number * 1000) / rate < end; number += 1) {
      this.#time.at((number * 1000) / rate, () => this.#change({ number, due: this.#time.now }));
    }
    this.#time.run(WARM_UP_MS);
    const spent = new Map(this.#all.map((node) => [node, node.loop.spentMs]));
    this.#time.at(WARM_UP_MS + FAULT_MS, () => this.#inject(fault));
    this.#time.run(end);
    const cores = (node: TreeNode): number => {
      const idle = (node.followers * costs.idleWatch) / 1e6;
      return (node.loop.spentMs - (spent.get(node) ?? 0)) / (seconds * 1000) + idle;
    };
    const most = Math.max(...this.#leaves.map(({ followers }) => followers));
    const result = {
      leafCores: Math.max(...this.#leaves.map(cores)),
      topCores: Math.max(0, ...this.#levels.slice(0, -1).flat().map(cores)),
      leafBytes: costs.baseBytes + costs.objectsBytes + most * costs.watchBytes,
    };
    this.#time.run(Number.POSITIVE_INFINITY);
    return {
      ...result,
      delivered: this.#delivered,
      latencies: this.#latencies,
      resumedMs: this.#resumedMs,
      upstreamRequests: this.#upstreamRequests,
      relists: this.#relists,
    };
  }

  get #leaves(): readonly TreeNode[] {
    return this.#levels.at(-1) ?? [];
  }

  get #all(): readonly TreeNode[] {
    return this.#levels.flat();
  }

  #change(change: TreeChange): void {
    if (this.#held !== undefined) {
      this.#held.push(change);
      return;
    }
    this.#past.push(change);
    const { link, commitMs = 0 } = this.#plan;
    for (const node of this.#levels[0] ?? []) this.#time.after(commitMs + link.ms, () => node.take(change));
  }

  #deliver(followers: number, changes: readonly TreeChange[]): void {
    const seen = (): void => {
      for (const { due } of changes) this.#latency(this.#time.now - due, followers, due);
    };
    const { client } = this.#plan;
    this.#turn += 1;
    const loop = this.#clients[this.#turn % Math.max(1, this.#clients.length)];
    if (loop === undefined || client === undefined) seen();
    else loop.push((followers * changes.length * client.event) / 1000, seen);
  }

  #latency(ms: number, followers: number, due: number): void {
    if (due < WARM_UP_MS) return;
    this.#delivered += followers;
    this.#latencies.addCounts([[Math.min(299_999, Math.max(0, Math.floor(ms * 10))), followers]]);
  }

  #inject(fault: TreeFault): void {
    const [top] = this.#levels[0] ?? [];
    const leaf = this.#leaves[0];
    if (top === undefined || leaf === undefined) return;
    if (fault === 'a leaf dies') this.#endLeaf(leaf);
    if (fault === 'a top relay dies') this.#endTop(top);
    if (fault === 'the upstream is away for 10 s') this.#upstreamAway();
    if (fault === 'a leaf is cut off for 10 s') this.#cutOff(leaf);
    if (fault === '410 everywhere') this.#forgetAll();
    if (fault === 'rights change') for (const each of this.#leaves) this.#askAgain(each);
    if (fault === 'all leaves start anew') for (const each of this.#leaves) this.#startAnew(each);
  }

  #resumed(since: number): void {
    this.#resumedMs = Math.max(this.#resumedMs, this.#time.now - since);
  }

  /** Its followers go to the other leaves, and go on there by their version. */
  #endLeaf(leaf: TreeNode): void {
    const others = this.#leaves.filter((other) => other !== leaf && other.isAlive);
    const { followers } = leaf;
    leaf.isAlive = false;
    leaf.parent?.children.delete(leaf);
    leaf.followers = 0;
    for (const other of others) this.#comeBack(other, Math.round(followers / others.length), { newest: leaf.sent });
  }

  /** At the same address, with its journal: the followers come back to it. */
  #startAnew(leaf: TreeNode): void {
    const { followers, sent: newest } = leaf;
    leaf.followers = 0;
    this.#comeBack(leaf, followers, { newest });
  }

  /**
   * Followers connect within the backoff: a handshake, access once for each user, and the changes that they have missed, or all objects.
   */
  #comeBack(
    leaf: TreeNode,
    followers: number,
    { newest, isRelist = false }: { readonly newest: number; readonly isRelist?: boolean },
  ): void {
    const { costs, usersPerLeaf = USERS } = this.#plan;
    const since = this.#time.now;
    let asked = 0;
    for (let first = 0; first < followers; first += TOGETHER) {
      const count = Math.min(TOGETHER, followers - first);
      const users = Math.min(count, Math.max(0, usersPerLeaf - asked));
      asked += users;
      this.#time.at(since + (first / followers) * BACKOFF_MS, () => {
        // A TokenReview and a SubjectAccessReview.
        this.#ask(2 * users, () => {
          const missed = (): readonly TreeChange[] => this.#between(newest, leaf.sent);
          const state = isRelist ? costs.list : costs.flush + missed().length * costs.event;
          if (isRelist) this.#relists += count;
          leaf.loop.push((count * ((isRelist ? 0 : costs.connect) + state)) / 1000, () => {
            leaf.followers += count;
            const seen = missed();
            leaf.send(isRelist ? count * this.#plan.listBytes : 0, () => {
              if (!isRelist) for (const { due } of seen) this.#latency(this.#time.now - due, count, due);
              this.#resumed(since);
            });
          });
        });
      });
    }
  }

  #between(after: number, to: number): readonly TreeChange[] {
    return this.#past.slice(after + 1, to + 1);
  }

  /** Requests of the upstream itself, through all levels. */
  #ask(count: number, then: () => void): void {
    if (count === 0) {
      then();
      return;
    }
    this.#upstreamRequests += count;
    const way = 2 * this.#plan.levels.length * this.#plan.link.ms;
    this.#upstream.push((count * this.#plan.costs.review) / 1000, () => this.#time.after(way, then));
  }

  /** Its relays go to another one, and go on by their version; followers notice nothing. */
  #endTop(top: TreeNode): void {
    const others = (this.#levels[0] ?? []).filter((other) => other !== top);
    const since = this.#time.now;
    top.isAlive = false;
    for (const [i, child] of [...top.children].entries()) {
      top.children.delete(child);
      const other = others[i % others.length];
      if (other === undefined) continue;
      child.parent = undefined;
      this.#time.after(((i + 1) / (top.children.size + 1)) % BACKOFF_MS, () => this.#adopt(other, child, since));
    }
  }

  #adopt(parent: TreeNode, child: TreeNode, since: number): void {
    const { costs, changeBytes } = this.#plan;
    this.#ask(2, () => {
      const missing = (): readonly TreeChange[] => this.#between(child.newest, parent.sent);
      parent.loop.push((costs.connect + costs.flush + missing().length * costs.event) / 1000, () => {
        const missed = missing();
        child.parent = parent;
        parent.children.add(child);
        parent.send(missed.length * changeBytes, () => {
          for (const change of missed) child.take(change);
          this.#resumed(since);
        });
      });
    });
  }

  #upstreamAway(): void {
    this.#held = [];
    const since = this.#time.now;
    this.#time.after(AWAY_MS, () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      this.#upstreamRequests += this.#levels[0]?.length ?? 0;
      for (const change of held) this.#change(change);
      this.#resumed(since);
    });
  }

  #cutOff(leaf: TreeNode): void {
    const { parent } = leaf;
    const since = this.#time.now;
    if (parent === undefined) return;
    parent.children.delete(leaf);
    leaf.parent = undefined;
    this.#time.after(AWAY_MS, () => this.#adopt(parent, leaf, since));
  }

  /** Every relay reads everything again from the one above, and so does every follower. */
  #forgetAll(): void {
    const { costs } = this.#plan;
    for (const [level, nodes] of this.#levels.entries()) {
      for (const node of nodes) {
        if (level === 0) {
          this.#upstreamRequests += 1;
          this.#upstream.push(costs.list / 1000, () => {});
        } else node.parent?.loop.push(costs.list / 1000, () => {});
      }
    }
    for (const leaf of this.#leaves) {
      const { followers, sent: newest } = leaf;
      this.#comeBack(leaf, followers, { newest, isRelist: true });
      leaf.followers = 0;
    }
  }

  /** All decisions are dropped; each user of an open watch is asked about again. */
  #askAgain(leaf: TreeNode): void {
    const { usersPerLeaf = USERS } = this.#plan;
    const since = this.#time.now;
    for (let user = 0; user < Math.min(usersPerLeaf, leaf.followers); user += 1)
      this.#ask(1, () => this.#resumed(since));
  }
}
