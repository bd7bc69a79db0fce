/** A kind whose upstream a test plays, with readers of what is true now: what they may not have been shown is a lie. */

import { PlayedUpstream, pod } from '../src/feed/played-upstream.fixture.ts';

/** A write that the upstream has acknowledged. */
interface Write {
  readonly name: string;
  readonly version: number;
}

/** The kind is at 10 with one object. */
export class FreshScene {
  readonly lies: string[] = [];
  readonly #writes: Write[] = [{ name: 'one', version: 3 }];
  readonly played: PlayedUpstream;

  private constructor(played: PlayedUpstream) {
    this.played = played;
  }

  static async start(): Promise<FreshScene> {
    return new FreshScene(await PlayedUpstream.loaded('pods', pod));
  }

  /** The upstream acknowledges it; its event is still on the way. */
  write(name: string, version: number): void {
    this.#writes.push({ name, version });
  }

  /** The event of a write arrives. */
  async deliver(name: string, version: number): Promise<void> {
    this.played.streams[0]?.send('ADDED', pod(name, version));
    await this.played.clock.advance(0);
  }

  /** Reads what is true now. */
  async read(): Promise<void> {
    const due = [...this.#writes];
    const { feed, cache, clock } = this.played;
    void (async () => {
      const end = await feed.ladder.climb(false, new AbortController().signal);
      if (end.type !== 'proven') return;
      const at = cache.generation?.revision;
      for (const { name, version } of due) {
        const shown = cache.generation?.get(`a/${name}`);
        if (shown === undefined || shown.revision < version)
          this.lies.push(`a read at ${at} has no ${name} at ${version}, which was acknowledged before`);
      }
    })();
    await clock.advance(0);
  }

  /** What a bookmark would say now: everything up to here has come. */
  bookmark(): void {
    const at = this.played.cache.generation?.revision ?? 0n;
    for (const { name, version } of this.#writes) {
      const shown = this.played.cache.generation?.get(`a/${name}`);
      if (version <= at && (shown === undefined || shown.revision < version))
        this.lies.push(`a bookmark at ${at}, before ${name} at ${version} was sent`);
    }
  }
}

/** Two readers, of whom the second comes after a write while the question of the first is under way. */
export async function lateReader(): Promise<readonly string[]> {
  const scene = await FreshScene.start();
  await scene.read();
  scene.write('two', 12);
  await scene.read();
  await scene.played.answerProbe(10);
  if (scene.played.probes.length > 0) await scene.played.answerProbe(12);
  await scene.played.clock.advance(200);
  await scene.deliver('two', 12);
  await scene.played.clock.advance(3000);
  return scene.lies;
}

/** The upstream is at 40 by a write of another kind; a write of this one is still on the way. */
export async function otherKind(): Promise<readonly string[]> {
  const scene = await FreshScene.start();
  scene.write('two', 20);
  await scene.read();
  await scene.played.answerProbe(40);
  await scene.played.clock.advance(200);
  scene.bookmark();
  await scene.played.clock.advance(3000);
  return scene.lies;
}

/** A second watch hears of a write, and of a bookmark behind it, before the feed does. */
export async function beatAhead(): Promise<readonly string[]> {
  const scene = await FreshScene.start();
  scene.write('two', 20);
  await scene.read();
  await scene.played.answerProbe(40);
  await scene.played.clock.advance(200);
  const [beat] = scene.played.beats;
  beat?.send('ADDED', pod('two', 20));
  beat?.bookmark('40');
  await scene.played.clock.advance(0);
  scene.bookmark();
  await scene.deliver('two', 20);
  await scene.played.clock.advance(3000);
  scene.bookmark();
  return scene.lies;
}

/** A bookmark of the feed itself, with a write behind it that is still on the way. */
export async function ownBookmark(): Promise<readonly string[]> {
  const scene = await FreshScene.start();
  scene.write('two', 31);
  scene.played.streams[0]?.bookmark('30');
  await scene.played.clock.advance(0);
  scene.bookmark();
  return scene.lies;
}
