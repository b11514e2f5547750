import type { ChainNode, ContractCall, GasPrices } from '../../src/node/chain-node.js';
import type { Artefact, Sender } from '../../src/node/sender.js';
import { UNIVERSAL_DEPLOYER, planContract } from '../../src/plan/deploy-call.js';

/** Transaction that was sent to the fake chain. */
export interface SentTransaction {
  readonly sender: bigint;
  readonly nonce: bigint;
  readonly kind: 'declare' | 'invoke';
  readonly calls: readonly ContractCall[];
}

/**
 * Fake chain in memory with classes, and with contracts created by the universal deployer. Every
 * contract stores numbers by name: its entry point `set` writes and `get` reads them. The chain
 * rejects a wrong nonce, an undeclared class, and a call to an address without a contract.
 */
export class FakeChain implements ChainNode {
  readonly sent: SentTransaction[] = [];
  /**
   * Number of transactions that succeed before the next transaction reverts. Undefined if none
   * reverts.
   */
  revertsAfter: number | undefined;
  readonly #classes = new Set<bigint>();
  readonly #contracts = new Map<bigint, bigint>();
  readonly #slots = new Map<string, bigint>();
  readonly #nonces = new Map<bigint, bigint>();
  readonly #reverted = new Set<string>();

  async chainId(): Promise<string> {
    return 'SN_FAKE';
  }

  async gasPrices(): Promise<GasPrices> {
    return { l1GasFri: 1n, l1DataGasFri: 1n, l2GasFri: 1n };
  }

  async nonce(account: bigint): Promise<bigint> {
    return this.#nonces.get(account) ?? 0n;
  }

  async isDeclared(classHash: bigint): Promise<boolean> {
    return this.#classes.has(classHash);
  }

  async classHashesAt(addresses: readonly bigint[]): Promise<readonly (bigint | undefined)[]> {
    return addresses.map((address) => this.#contracts.get(address));
  }

  async views(calls: readonly ContractCall[]): Promise<readonly (readonly bigint[] | undefined)[]> {
    return calls.map(({ contract, calldata: [key = 0n] }) =>
      this.#contracts.has(contract) ? [this.#slots.get(`${contract}:${key}`) ?? 0n] : undefined,
    );
  }

  async included(transactionHash: string): Promise<void> {
    if (this.#reverted.has(transactionHash))
      throw new Error(`transaction ${transactionHash} reverted`);
  }

  sender(address: bigint): Sender<Artefact> {
    return {
      address,
      declare: async ({ classHash }, nonce) =>
        this.#take({ sender: address, nonce, kind: 'declare', calls: [] }, () =>
          this.#classes.add(BigInt(classHash)),
        ),
      invoke: async (calls, nonce) =>
        this.#take({ sender: address, nonce, kind: 'invoke', calls }, () => {
          for (const call of calls) this.#run(call);
        }),
    };
  }

  #take(transaction: SentTransaction, execute: () => void): string {
    const { sender, nonce } = transaction;
    if (nonce !== (this.#nonces.get(sender) ?? 0n)) throw new Error('invalid nonce');
    this.#nonces.set(sender, nonce + 1n);
    const hash = `${sender}/${nonce}`;
    this.sent.push(transaction);
    if (this.revertsAfter === 0) this.#reverted.add(hash);
    else execute();
    if (this.revertsAfter !== undefined) this.revertsAfter -= 1;
    return hash;
  }

  #run({ contract, calldata }: ContractCall): void {
    if (contract === UNIVERSAL_DEPLOYER) {
      const [classHash = 0n, salt = 0n, , length = 0n, ...constructorCalldata] = calldata;
      if (!this.#classes.has(classHash)) throw new Error('class is not declared');
      if (BigInt(constructorCalldata.length) !== length)
        throw new Error('constructor calldata has another length');
      const contractClass = { classHash: `0x${classHash.toString(16)}` };
      this.#contracts.set(
        planContract({ name: '', contractClass, salt, constructorCalldata }).address,
        classHash,
      );
      return;
    }
    const [key = 0n, value = 0n] = calldata;
    if (!this.#contracts.has(contract)) throw new Error('there is no contract at this address');
    this.#slots.set(`${contract}:${key}`, value);
  }
}
