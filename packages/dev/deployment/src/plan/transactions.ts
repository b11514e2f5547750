import type { ChainNode, ContractCall } from '../node/chain-node.js';
import type { Artefact, Sender } from '../node/sender.js';

/**
 * Far below what the sequencer takes in one transaction, by gas (about 2 M for a deployment) and by
 * felts.
 */
const CALLS_PER_TRANSACTION = 60;

/** Transactions of one account, each sent when the one before it has succeeded. */
export class Transactions<Class extends Artefact> {
  #count = 0;
  #next: bigint | undefined;

  constructor(
    private readonly node: ChainNode,
    private readonly sender: Sender<Class>,
  ) {}

  /** How many were sent so far. */
  get count(): number {
    return this.#count;
  }

  /** @throws Error when the node fails, or refuses or reverts it */
  async declare(artefact: Class): Promise<void> {
    await this.#run((nonce) => this.sender.declare(artefact, nonce));
  }

  /** Makes the calls in as few transactions as will do. @throws Error as {@link declare} */
  async invoke(calls: readonly ContractCall[]): Promise<void> {
    for (let start = 0; start < calls.length; start += CALLS_PER_TRANSACTION) {
      await this.#run((nonce) =>
        this.sender.invoke(calls.slice(start, start + CALLS_PER_TRANSACTION), nonce),
      );
    }
  }

  async #run(send: (nonce: bigint) => Promise<string>): Promise<void> {
    const nonce = this.#next ?? (await this.node.nonce(this.sender.address));
    await this.node.included(await send(nonce));
    this.#next = nonce + 1n;
    this.#count += 1;
  }
}
