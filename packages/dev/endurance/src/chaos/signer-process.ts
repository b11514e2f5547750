import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import {
  signerListens,
  signerUrl,
  startSigner,
  withdrawalPolicy,
  type Child,
  type Variables,
} from '@sotto/process-kit';
import { chainName, lanes } from '../stack/chain.js';
import { loadPool } from '../stack/withdrawals.js';

const accounts = Object.values(lanes);

/** Signer process of the relaying accounts, which has a separate socket. */
export class SignerProcess {
  /** Settings of a service that uses this signer. */
  readonly serviceEnv: Variables;
  #child: Child;

  private constructor(private readonly folder: string) {
    this.serviceEnv = {
      RELAY_ACCOUNTS: JSON.stringify(accounts.map(({ address }) => ({ address: toFelt(address) }))),
      // The policy of this signer allows only withdrawals.
      SWAP_OWNER_ACCOUNT: '',
      AGGREGATOR_URL: '',
      SIGNER_URL: signerUrl(folder),
    };
    this.#child = this.#begin();
  }

  static async start(folder: string): Promise<SignerProcess> {
    const signer = new SignerProcess(folder);
    await signerListens(signer.#child);
    return signer;
  }

  kill(): Promise<void> {
    return this.#child.stop('SIGKILL');
  }

  /** Starts the signer again with the same command. */
  async startAgain(): Promise<void> {
    this.#child = this.#begin();
    await signerListens(this.#child);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #begin(): Child {
    return startSigner({
      program: import.meta.resolve('@sotto/signer'),
      folder: this.folder,
      accounts,
      policy: withdrawalPolicy(
        { chainId: chainName, pool: loadPool },
        accounts.map(({ address }) => address),
      ),
      logFile: join(this.folder, 'signer.log'),
    });
  }
}
