/** The frames of watches in the inspector, bounded, and their export. */

export interface WatchFrame {
  readonly number: number;
  /** Which watch of the inspector it came on; 1 for the first. */
  readonly watch: number;
  /** When it arrived, milliseconds since 1970. */
  readonly at: number;
  /** `ADDED`, `BOOKMARK`, …; `OPEN` and `END` for the watch itself. */
  readonly type: string;
  readonly resourceVersion: string;
  /** `namespace/name`, or what the watch itself has to say. */
  readonly subject: string;
  /** 0 for what is no frame. */
  readonly bytes: number;
  /** Milliseconds since the frame before it on the same watch. */
  readonly delay: number;
  readonly raw: string;
}

/** As many are kept; older ones leave. */
export const MAX_FRAMES = 5000;
export const MAX_FRAME_LOG_BYTES = 16 * 1024 * 1024;

/** Reads one frame. What cannot be read is shown as it is. */
export function readFrame(raw: string): Pick<WatchFrame, 'resourceVersion' | 'subject' | 'type'> {
  try {
    const { type, object }: { type?: unknown; object?: FrameObject } = JSON.parse(raw);
    const named = object?.kind === 'Table' ? object.rows?.[0]?.object : object;
    const { name = '', namespace = '', resourceVersion, annotations } = named?.metadata ?? {};
    const isEnd = annotations?.['k8s.io/initial-events-end'] === 'true';
    const status =
      object?.kind === 'Status' ? `${object.code ?? ''} ${object.reason ?? ''}: ${object.message ?? ''}` : '';
    const subject = isEnd ? 'end of the initial events' : namespace === '' ? name : `${namespace}/${name}`;
    return {
      type: String(type),
      resourceVersion: resourceVersion ?? object?.metadata?.resourceVersion ?? '',
      subject: status === '' ? subject : status,
    };
  } catch {
    return { type: 'UNREADABLE', resourceVersion: '', subject: raw.slice(0, 100) };
  }
}

interface FrameObject {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly rows?: readonly { readonly object?: FrameObject }[];
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Adds frames; drops the oldest beyond the limits. */
export function withFrames(log: readonly WatchFrame[], added: readonly WatchFrame[]): readonly WatchFrame[] {
  const all = [...log, ...added].slice(-MAX_FRAMES);
  let bytes = 0;
  for (let index = all.length - 1; index >= 0; index -= 1) {
    bytes += all[index]?.raw.length ?? 0;
    if (bytes > MAX_FRAME_LOG_BYTES) return all.slice(index + 1);
  }
  return all;
}
