import { Fault, feltToBigInt, toFelt, type Felt } from '@sotto/kernel';
import { ChainView, SpecError, balanceOf, type InvokeTransaction } from '@sotto/sandbox/engine';
import type { Broadcaster, ChainHead, ChainReader, NonceHistory, SendAnswer, TransactionSighting } from '@sotto/submission-core';
import { decode } from './cheap-transaction.js';
import type { Activity } from './crashing.js';
import { gate, type Gate } from './gate.js';
import type { TestChain } from './test-chain.js';

class NodeDown extends Fault {
  readonly code = 'NODE_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/** What happens to one request that carries a transaction. */
export type SendFault =
  'request lost' | 'answer lost' | 'answer late' | 'refused' | 'refused late' | 'refused for its price' | 'refused for funds';

const LOST: SendAnswer = { kind: 'unclear', code: 'TIMED_OUT' };
const REFUSALS: Readonly<Record<number, SendAnswer>> = {
  53: { kind: 'refused', code: 'INSUFFICIENT_RESOURCES_FOR_VALIDATE', cause: 'price' },
  54: { kind: 'refused', code: 'INSUFFICIENT_ACCOUNT_BALANCE', cause: 'funds' },
  55: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
  59: { kind: 'taken' },
};

/** The ports of the machine over a sandbox chain in this process, with the faults of a network between them. */
export class SandboxNode implements Broadcaster, ChainReader, NonceHistory {
  /** Faults that strike the next sends, in order. */
  readonly sendFaults: SendFault[] = [];
  isDown = false;
  /** The node answers reads as if the chain ended so many blocks ago, and knows nothing that waits. */
  blocksBehind = 0;
  /** Requests that carried a transaction. */
  sends = 0;
  readonly #mayLand = new Map<Felt, InvokeTransaction>();

  #late: Gate | null = null;

  constructor(
    private readonly world: TestChain,
    private readonly activity: Activity,
  ) {}

  /** Everything that left us and was not refused: it may reach the chain at any later time. */
  get mayLand(): ReadonlyMap<Felt, InvokeTransaction> {
    return this.#mayLand;
  }

  async send(bytes: Uint8Array): Promise<SendAnswer> {
    this.sends += 1;
    const transaction = decode(bytes);
    const fault = this.sendFaults.shift();
    switch (fault) {
      case 'refused':
        return { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' };
      case 'refused late':
        await this.#untilLate();
        return { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' };
      case 'answer late': {
        const answer = this.#sendNow(transaction);
        await this.#untilLate();
        return answer;
      }
      case 'refused for its price':
        return { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' };
      case 'refused for funds':
        return { kind: 'refused', code: 'INSUFFICIENT_ACCOUNT_BALANCE', cause: 'funds' };
      case 'request lost':
        this.#mayLand.set(toFelt(transaction.hash), transaction);
        return LOST;
      case 'answer lost':
        // A request whose answer is lost may also be under way still.
        this.#deliver(transaction);
        this.#mayLand.set(toFelt(transaction.hash), transaction);
        return LOST;
      case undefined:
        return this.#sendNow(transaction);
    }
  }

  /** Answers that are late come now. */
  letAnswersCome(): void {
    this.#late?.open();
    this.#late = null;
  }

  /** Bytes that were sent at some time reach the pool only now. */
  arriveLate(hash: Felt): void {
    const transaction = this.#mayLand.get(hash);
    if (transaction !== undefined) this.#deliver(transaction);
  }

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    const { header, state } = this.#view().latest;
    const { l1Gas, l1DataGas, l2Gas } = header.prices;
    return {
      blockNumber: header.number,
      gasPrices: { l1GasFri: l1Gas, l1DataGasFri: l1DataGas, l2GasFri: l2Gas },
      accounts: new Map(
        accounts.map((account) => {
          const address = feltToBigInt(account);
          return [account, { nonce: state.nonce(address), balanceFri: balanceOf(state, this.world.chain.feeToken, address) }];
        }),
      ),
    };
  }

  async sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]> {
    const view = this.#view();
    return hashes.map((hash) => sightingOf(view, hash));
  }

  async takerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    const { latest } = this.#view();
    const sender = feltToBigInt(account);
    for (let number = latest.header.number; number >= 0; number -= 1) {
      const found = this.world.chain
        .accepted(number)
        .inclusions.find(({ transaction: { fields } }) => fields.sender === sender && fields.nonce === nonce);
      if (found !== undefined) return toFelt(found.transaction.hash);
    }
    return null;
  }

  #sendNow(transaction: InvokeTransaction): SendAnswer {
    const answer = this.#deliver(transaction);
    if (answer.kind !== 'refused') this.#mayLand.set(toFelt(transaction.hash), transaction);
    return answer;
  }

  #untilLate(): Promise<void> {
    this.#late ??= gate();
    return this.activity.apart(this.#late.opened);
  }

  #deliver(transaction: InvokeTransaction): SendAnswer {
    try {
      this.world.gateway.add(transaction);
      return { kind: 'taken' };
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      return REFUSALS[error.code] ?? { kind: 'unclear', code: `RPC_${error.code}` };
    }
  }

  #view(): ChainView {
    if (this.isDown) throw new NodeDown('the node is down');
    const { chain } = this.world;
    return new ChainView(chain, this.blocksBehind === 0 ? undefined : Math.max(0, chain.latest.number - this.blocksBehind));
  }
}

function sightingOf(view: ChainView, hash: Felt): TransactionSighting {
  try {
    const found = view.transaction(feltToBigInt(hash));
    if (found.stage !== 'INCLUDED') return { kind: 'waiting' };
    const { revertReason, feeFri } = found.inclusion;
    const execution = revertReason === undefined ? 'SUCCEEDED' : 'REVERTED';
    if (found.block.status === 'PRE_CONFIRMED') return { kind: 'pre_confirmed', execution, revertReason: revertReason ?? null };
    return { kind: 'accepted', execution, revertReason: revertReason ?? null, feeFri, blockNumber: found.block.header.number };
  } catch (error) {
    if (error instanceof SpecError) return { kind: 'unknown' };
    throw error;
  }
}
