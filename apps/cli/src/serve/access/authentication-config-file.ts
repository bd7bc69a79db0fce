/** `--authentication-config`: read at the start, and again whenever it changes. */

import { readFileSync } from 'node:fs';
import {
  type AnonymousConfig,
  type AuthenticationConfiguration,
  checkAuthenticationConfiguration,
  type JwtAuthenticators,
  type JwtConfig,
  parseAuthenticationConfiguration,
  type ReloadCounts,
} from '@listwatch/server/authentication';
import type { Logger } from 'pino';
import { explainFileError } from '../../file-error.ts';
import { UsageError } from '../../usage-error.ts';
import { FollowedFile } from '../followed-file.ts';

/** The file, and what may not be in it. */
export interface AuthenticationConfigParts {
  readonly path: string;
  readonly disallowedIssuers: readonly string[];
  readonly log: Logger;
  readonly reloads: ReloadCounts;
}

/** Follows the file. A change that is wrong is logged, and the configuration before it stays. */
export class AuthenticationConfigFile {
  readonly jwt: JwtAuthenticators;
  readonly anonymous: AnonymousConfig | undefined;
  readonly #parts: AuthenticationConfigParts;
  readonly #file: FollowedFile;

  /** Throws a `UsageError` when the file cannot be read or used. */
  static open(
    parts: AuthenticationConfigParts,
    make: (configs: readonly JwtConfig[]) => JwtAuthenticators,
  ): AuthenticationConfigFile {
    try {
      const text = readFileSync(parts.path, 'utf8');
      return new AuthenticationConfigFile(parts, text, make);
    } catch (error) {
      const reason = error instanceof Error && 'syscall' in error ? explainFileError(error) : messageOf(error);
      throw new UsageError(`--authentication-config ${parts.path}: ${reason}`);
    }
  }

  private constructor(
    parts: AuthenticationConfigParts,
    text: string,
    make: (configs: readonly JwtConfig[]) => JwtAuthenticators,
  ) {
    this.#parts = parts;
    const { jwt, anonymous } = this.#read(text);
    this.jwt = make(jwt);
    this.anonymous = anonymous;
    const { path, log, reloads } = parts;
    reloads.using(text);
    this.#file = new FollowedFile(
      {
        path,
        option: 'authentication-config',
        log,
        use: (changed) => this.#use(changed),
        onFailure: () => reloads.count('failure'),
      },
      text,
    );
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    const ending = this.#file.close();
    this.jwt.close();
    await ending;
  }

  async #use(text: string): Promise<void> {
    const { jwt, anonymous } = this.#read(text);
    if (JSON.stringify(anonymous) !== JSON.stringify(this.anonymous)) {
      throw new TypeError('anonymous: Forbidden: changed from initial configuration file');
    }
    await this.jwt.replace(jwt);
    const { path, log, reloads } = this.#parts;
    reloads.using(text);
    reloads.count('success');
    log.info({ path, issuers: jwt.map(({ issuer }) => issuer.url) }, 'uses the changed authentication configuration');
  }

  #read(text: string): AuthenticationConfiguration {
    const configuration = parseAuthenticationConfiguration(text);
    checkAuthenticationConfiguration(configuration, this.#parts);
    return configuration;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
