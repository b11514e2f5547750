import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certified {
  readonly cert: string;
  readonly key: string;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

/** Certificate authority of one test, with its files in a separate folder. */
export class Authority {
  readonly cert: string;

  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.#openssl('req', '-x509', ...CURVE, '-subj', `/CN=${name}`, ...this.#files(name));
    this.cert = this.#read(`${name}.crt`);
  }

  /** Issues a certificate for the loopback address. */
  issue(name: string): Certified {
    const extensions = join(this.folder, 'extensions');
    writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1');
    const request = join(this.folder, `${name}.csr`);
    const key = join(this.folder, `${name}.key`);
    this.#openssl('req', ...CURVE, '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
    const authority = join(this.folder, this.name);
    this.#openssl(
      'x509',
      '-req',
      '-in',
      request,
      '-days',
      '2',
      '-extfile',
      extensions,
      '-CA',
      `${authority}.crt`,
      '-CAkey',
      `${authority}.key`,
      '-CAcreateserial',
      '-out',
      join(this.folder, `${name}.crt`),
    );
    return { cert: this.#read(`${name}.crt`), key: this.#read(`${name}.key`) };
  }

  #files(name: string): string[] {
    return ['-keyout', join(this.folder, `${name}.key`), '-out', join(this.folder, `${name}.crt`)];
  }

  #read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { stdio: 'ignore' });
  }
}

/** True if the tools to create certificates are installed. */
export const canCertify = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
