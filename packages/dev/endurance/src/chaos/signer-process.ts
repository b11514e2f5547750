import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import { Child, keyed, writeJson, type Variables } from '@sotto/process-kit';
import { chainName, lanes } from '../stack/chain.js';
import { loadPool } from '../stack/withdrawals.js';

const BOUNDLESS = '1'.padEnd(30, '0');
const bound = (maxAmount: string): object => ({ maxAmount, maxPriceFri: '1000000000000000' });

/** Signer of the accounts that relay, on a socket of its own. */
export class SignerProcess {
  /** Settings of a service that uses it. */
  readonly serviceEnv: Variables;
  readonly #env: Variables;
  #child: Child;

  private constructor(private readonly folder: string) {
    const url = `unix:${join(folder, 'signer.sock')}`;
    const accounts = Object.values(lanes);
    this.#env = {
      MODE: 'development',
      SIGNER_LISTEN: url,
      SIGNER_KEYS: JSON.stringify(accounts.map(keyed)),
      SIGNER_POLICY: writeJson(folder, 'policy.json', POLICY),
      SIGNER_BOOK_PATH: join(folder, 'book.sqlite'),
    };
    this.serviceEnv = {
      RELAY_ACCOUNTS: JSON.stringify(accounts.map(({ address }) => ({ address: toFelt(address) }))),
      // The signer's policy has withdrawals alone.
      SWAP_OWNER_ACCOUNT: '',
      AGGREGATOR_URL: '',
      SIGNER_URL: url,
    };
    this.#child = this.#begin();
  }

  static async start(folder: string): Promise<SignerProcess> {
    const signer = new SignerProcess(folder);
    await signer.#listening();
    return signer;
  }

  kill(): Promise<void> {
    return this.#child.stop('SIGKILL');
  }

  /** The same start command again. */
  async startAgain(): Promise<void> {
    this.#child = this.#begin();
    await this.#listening();
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #begin(): Child {
    return new Child({
      name: 'signer',
      program: import.meta.resolve('@sotto/signer'),
      env: this.#env,
      logFile: join(this.folder, 'signer.log'),
    });
  }

  async #listening(): Promise<void> {
    await this.#child.line((line) => (line.includes('"message":"listening"') ? true : undefined));
  }
}

const POLICY = {
  version: 1,
  chainId: chainName,
  budget: { perHourFri: BOUNDLESS, perDayFri: BOUNDLESS },
  accounts: Object.values(lanes).map(({ address }) => ({
    address: toFelt(address),
    messages: ['FeeQuote', 'ServiceStatus'],
    calls: [{ contract: toFelt(loadPool.address), entrypoint: 'withdraw', opaque: true }],
    bounds: { l2Gas: bound('1200000000'), l1Gas: bound('256'), l1DataGas: bound('20480') },
  })),
};
