import { readProofCalldata } from '@sotto/groth16/layout';
import { SingleFlight, tryCatch, settle, type Clock, type Felt, type Felts } from '@sotto/kernel';
import type {
  AccountHistory,
  AccountTransaction,
  AuditStore,
  ChainReader,
  NonceHistory,
} from '@sotto/submission-core';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  readPrivateSwapCalldata,
} from '../../pools/domain/private-swap-call.js';
import type { SwapPin } from '../../pools/domain/swap-pin.js';
import { BN254_SCALAR_ORDER, readStatement } from '../../pools/domain/withdrawal.js';
import { SwapPinsIncomplete } from '../../errors.js';
import type { SwapPins } from '../ports/swap-pins.port.js';
import type { SwapRecords } from '../ports/swap-records.port.js';

export interface FillSwapPinsPorts {
  readonly pins: SwapPins;
  readonly records: SwapRecords;
  readonly reader: Pick<ChainReader, 'head'>;
  readonly nonces: NonceHistory;
  readonly history: Pick<AccountHistory, 'transaction'>;
  /** Rows of the ledger by nonce, which identify most transactions without a search of blocks. */
  readonly store: Pick<AuditStore, 'nonces'>;
  readonly clock: Clock;
}

export interface FillSwapPinsSettings {
  readonly chainId: Felt;
  readonly swapPool: Felt;
  /** Account that sends all swaps: the swap pool accepts no other caller. */
  readonly swapOwner: Felt;
  /** Maximum milliseconds for which a request waits until all swaps are pinned. @default 3,000 */
  readonly patienceMs?: number;
}

/** Maximum number of swaps or nonces that are read at a time. */
const PAGE = 100;
const RETRY_SECONDS = 10;

/**
 * Pins every swap whose proof was revealed before its pin was written, or whose pin the store has
 * lost. Such swaps are found in the ledger and in the swap owner's transactions on chain, including
 * reverted transactions. If a note has two swaps, the first swap determines the pin.
 */
export class FillSwapPins {
  readonly #fills = new SingleFlight<void>();
  #isLedgerRead = false;

  constructor(
    private readonly deps: FillSwapPinsPorts,
    private readonly settings: FillSwapPinsSettings,
  ) {}

  /**
   * Resolves when every swap that is public at ACCEPTED_ON_L2 is pinned. If this lasts longer than
   * `patienceMs`, the call rejects and the work continues in the background.
   * @throws SwapPinsIncomplete
   */
  async complete(): Promise<void> {
    const { patienceMs = 3_000 } = this.settings;
    const over = new AbortController();
    try {
      const filling = settle(this.execute());
      const filled = await Promise.race([
        filling,
        this.deps.clock.sleep(patienceMs, over.signal).then(() => null),
      ]);
      if (filled?.known === true) return;
      throw new SwapPinsIncomplete({
        retryAfterSeconds: RETRY_SECONDS,
        ...(filled === null ? {} : { cause: filled.failure }),
      });
    } finally {
      over.abort();
    }
  }

  /**
   * Pins all swaps that lack a pin, without a time limit. Progress is stored. Rejects with the
   * error of the node or the store.
   */
  execute(): Promise<void> {
    return this.#fills.run('', () => this.#fill());
  }

  async #fill(): Promise<void> {
    const { records } = this.deps;
    const { chainId, swapOwner } = this.settings;
    // Read the account's nonce again after each page, because the account may have sent
    // transactions while the page was read.
    for (let next = await records.readUpTo(swapOwner); ; next = await records.readUpTo(swapOwner)) {
      const { chainId: servedChain, accounts } = await this.deps.reader.head([swapOwner]);
      const account = accounts.get(swapOwner);
      if (account === undefined || servedChain !== chainId) throw unread();
      if (next >= account.nonce) break;
      await this.#readNonces(next, account.nonce);
    }
    if (!this.#isLedgerRead) await this.#readLedger();
    this.#isLedgerRead = true;
  }

  async #readNonces(from: bigint, to: bigint): Promise<void> {
    const { store, nonces, records } = this.deps;
    const { swapOwner } = this.settings;
    const last = from + BigInt(PAGE) < to ? from + BigInt(PAGE) : to;
    const { rows } = await store.nonces(swapOwner, from, last - 1n, PAGE);
    const known = new Map(rows.map(({ nonce, settlement }) => [nonce, settlement?.hash ?? null]));
    for (let nonce = from; nonce < last; nonce += 1n) {
      const transaction =
        (await this.#sent(known.get(nonce) ?? null)) ??
        (await this.#sent(await nonces.consumerOf(swapOwner, nonce)));
      if (transaction === null || transaction.nonce !== nonce) throw unread();
      for (const { target, calldata } of transaction.calls ?? []) {
        if (target.entrypoint === PRIVATE_SWAP_ENTRYPOINT) await this.#pin(target.to, calldata);
      }
      await records.noteReadUpTo(swapOwner, nonce + 1n);
    }
  }

  async #sent(hash: Felt | null): Promise<AccountTransaction | null> {
    return hash === null ? null : this.deps.history.transaction(hash, [this.settings.swapOwner]);
  }

  async #readLedger(): Promise<void> {
    for (let after: bigint | null = 0n; after !== null;) {
      const calls = await this.deps.records.kept(after, PAGE);
      for (const { swapPool, calldata } of calls) await this.#pin(swapPool, calldata);
      after = calls.at(-1)?.seq ?? null;
    }
  }

  async #pin(swapPool: Felt, calldata: Felts): Promise<void> {
    const pin = swapPool === this.settings.swapPool ? pinOf(this.settings.chainId, calldata) : null;
    if (pin === null) return;
    const { kind } = await this.deps.pins.pin(pin);
    // Another note is already pinned to this commitment, which older releases allowed. Pin this
    // note to a commitment that no request can contain: the note can be withdrawn, but not swapped.
    if (kind === 'commitment_taken')
      await this.deps.pins.pin({ ...pin, newCommitment: BN254_SCALAR_ORDER + pin.nullifierHash });
  }
}

/** Returns the pin for a swap's calldata; null if this calldata can't withdraw a note. */
function pinOf(chainId: Felt, calldata: Felts): SwapPin | null {
  const swap = readPrivateSwapCalldata(calldata);
  if (swap === null) return null;
  const statement = tryCatch(() => readStatement(readProofCalldata(swap.proof).proof.publicInputs));
  if (!statement.known) return null;
  const { wbtcPool, newCommitment, outputToken, minimumOut } = swap;
  const { nullifierHash } = statement.value;
  return {
    chainId,
    pool: wbtcPool,
    nullifierHash,
    newCommitment,
    outputToken,
    floor: minimumOut > 0n ? minimumOut : 1n,
  };
}

/**
 * Error if the node does not return a transaction although the account's nonce includes it. The
 * caller retries, because the node will return the transaction soon.
 */
function unread(): SwapPinsIncomplete {
  return new SwapPinsIncomplete({ retryAfterSeconds: RETRY_SECONDS });
}
