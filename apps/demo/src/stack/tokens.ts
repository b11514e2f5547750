import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceDescription } from '@sotto/dev';

type Credentials = ServiceDescription['credentials'];

/** Shell expressions that expand to the API tokens. */
export interface TokensInShell {
  readonly curator: string;
  readonly operator: string;
}

/**
 * Files of the API tokens that were created for this run. Tokens from the caller's environment are
 * not written.
 */
export class TokenFiles {
  private constructor(
    readonly inShell: TokensInShell,
    private readonly files: readonly string[],
  ) {}

  /** Writes the created API tokens to files that only this user can read. */
  static write(credentials: Credentials, stateFolder: string): TokenFiles {
    const files: string[] = [];
    const place = (role: keyof Credentials): string => {
      const { token, isGiven } = credentials[role];
      if (isGiven) return `$${role.toUpperCase()}_API_TOKEN`;
      const file = join(stateFolder, `${role}-token`);
      // The old file is removed first, because overwriting it would not change its permissions.
      rmSync(file, { force: true });
      writeFileSync(file, token, { mode: 0o600, flag: 'wx' });
      files.push(file);
      return `$(cat ${file})`;
    };
    return new TokenFiles({ curator: place('curator'), operator: place('operator') }, files);
  }

  remove(): void {
    for (const file of this.files) rmSync(file, { force: true });
  }
}
