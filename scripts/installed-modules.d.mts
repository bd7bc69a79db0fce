export interface Machine {
  readonly os: string;
  readonly cpu: string;
  readonly libc: string | undefined;
}

export interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly integrity?: string;
        readonly optional?: boolean;
        readonly os?: readonly string[];
        readonly cpu?: readonly string[];
        readonly libc?: readonly string[];
      }
    >
  >;
}

export function thisMachine(): Machine;
export function isInstalled(lock: LockFile, installed: LockFile, machine: Machine): boolean;
