/** A relay in the model: it takes changes from above, and sends them on in rounds, as `flush-pacer.ts` does. */

import { type SimulatedCores, SimulatedLoop, type SimulatedTime } from './simulated-time.ts';
import type { TreeCosts } from './tree-costs.ts';

/** A change, and when it was due. */
export interface TreeChange {
  readonly number: number;
  readonly due: number;
}

/** A line between two machines. */
export interface TreeLink {
  readonly ms: number;
  readonly bytesPerMs: number;
}

/** Where a part of the followers of a node got changes. */
export type Deliver = (followers: number, changes: readonly TreeChange[]) => void;

const SLICE_MS = 2;
const MAX_REST_MS = 50;
const MAX_REST_MS_PER_WATCHER = 0.1;

export class TreeNode {
  readonly name: string;
  readonly loop: SimulatedLoop;
  readonly children = new Set<TreeNode>();
  parent: TreeNode | undefined;
  followers = 0;
  isAlive = true;
  /** The newest change that it has. */
  newest = -1;
  /** The newest one of a round that has begun: who comes later gets it by a resume, and the next ones by rounds. */
  sent = -1;
  readonly #time: SimulatedTime;
  readonly #costs: TreeCosts;
  readonly #link: TreeLink;
  readonly #changeBytes: number;
  readonly #deliver: Deliver;
  #pending: TreeChange[] = [];
  #isSending = false;
  #lineFreeAt = 0;

  constructor(
    name: string,
    {
      time,
      cores,
      costs,
      link,
      changeBytes,
      deliver,
    }: {
      readonly time: SimulatedTime;
      readonly cores: SimulatedCores;
      readonly costs: TreeCosts;
      readonly link: TreeLink;
      readonly changeBytes: number;
      readonly deliver: Deliver;
    },
  ) {
    this.name = name;
    this.loop = new SimulatedLoop(cores);
    this.#time = time;
    this.#costs = costs;
    this.#link = link;
    this.#changeBytes = changeBytes;
    this.#deliver = deliver;
  }

  /** A change from above has arrived. Those that it has already, after a resume, are none. */
  take(change: TreeChange): void {
    if (!this.isAlive) return;
    this.loop.push(this.#costs.apply / 1000, () => {
      if (change.number <= this.newest || !this.isAlive) return;
      this.newest = change.number;
      this.#pending.push(change);
      if (!this.#isSending) this.#round();
    });
  }

  /** One after the other over the line of this node; `then` runs when the last byte has arrived. */
  send(bytes: number, then: () => void): void {
    this.#lineFreeAt = Math.max(this.#time.now, this.#lineFreeAt) + bytes / this.#link.bytesPerMs;
    this.#time.at(this.#lineFreeAt + this.#link.ms, then);
  }

  #round(): void {
    const changes = this.#pending;
    this.#pending = [];
    const children = [...this.children];
    const watchers = children.length + this.followers;
    this.sent = changes.at(-1)?.number ?? this.sent;
    if (changes.length === 0 || watchers === 0) return;
    this.#isSending = true;
    const each = (this.#costs.flush + changes.length * this.#costs.event) / 1000;
    const cost = watchers * each;
    this.#slice({ changes, children, left: this.followers, each }, () => {
      const rest = Math.min(cost, MAX_REST_MS, watchers * MAX_REST_MS_PER_WATCHER);
      this.#time.after(rest, () => {
        this.#isSending = false;
        this.#round();
      });
    });
  }

  /** Other relays were there first, so they are served first. */
  #slice(
    round: {
      readonly changes: readonly TreeChange[];
      readonly children: readonly TreeNode[];
      left: number;
      readonly each: number;
    },
    done: () => void,
  ): void {
    const { changes, children, each } = round;
    const followers = Math.min(round.left, Math.max(1, Math.round(SLICE_MS / each) - children.length));
    round.left -= followers;
    this.loop.push((followers + children.length) * each, () => {
      const bytes = changes.length * this.#changeBytes;
      for (const child of children) {
        this.send(bytes, () => {
          if (child.parent === this) for (const change of changes) child.take(change);
        });
      }
      if (followers > 0) this.send(followers * bytes, () => this.#deliver(followers, changes));
      if (round.left > 0) this.#slice({ ...round, children: [] }, done);
      else done();
    });
  }
}
