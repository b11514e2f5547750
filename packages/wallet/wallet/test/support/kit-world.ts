import { createNote, deriveNoteKeys, nextNote } from '../../src/advanced.js';
import { ActionFailed, type WalletEvent, type WalletNote } from '../../src/index.js';
import { Wallet } from '../../src/kit/wallet.js';
import type { WalletParts } from '../../src/kit/wallet-types.js';
import {
  FakeAccount,
  FakeChain,
  FakePool,
  FakeProver,
  FakeStorage,
  FakeSwapChain,
  FakeSwapPoolView,
  FakeSwapRelayer,
} from '../../src/testing/index.js';
import { passTime } from './virtual-time.js';

export const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
export const OTHER = '0x7cafe00000000000000000000000000000000000000000000000000000beef';
export const TOKEN = '0x70ce00000000000000000000000000000000000000000000000000000000ce';

/** Fake environment of a wallet whose storage, relayers, prover and account can fail. */
export class KitWorld {
  readonly keys = deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, index) => index));
  readonly chain = new FakeChain();
  readonly swapChain = new FakeSwapChain();
  readonly storage = new FakeStorage();
  readonly account = new FakeAccount(this.chain);
  readonly prover = new FakeProver();
  readonly relayer = new FakeSwapRelayer(this.chain, this.swapChain);
  readonly second = new FakeSwapRelayer(this.chain, this.swapChain, {
    baseUrl: 'https://second.example',
    privateKey: '0x222',
    feeAddress: '0xfee2',
  });
  readonly events: WalletEvent[] = [];
  readonly swapTerms = {
    to: RECIPIENT,
    minAmountOut: 90n,
    maxFee: 100n,
    maxWithdrawalFee: 100n,
    waitForSwap: 0,
  };

  /** Opens the wallet, as a start of its process does. Batches are deployed at once. */
  open(changes: Partial<WalletParts> = {}): Wallet {
    const view = new FakePool(this.chain);
    const wallet = new Wallet({
      keys: this.keys,
      storage: this.storage,
      prover: this.prover,
      account: this.account,
      locks: null,
      pools: [{ view, token: TOKEN, amount: this.chain.denomination }],
      swapPool: { view: new FakeSwapPoolView(this.swapChain), token: null, amount: null },
      relayers: [this.relayer.relayer],
      ...changes,
    });
    wallet.on((event) => {
      this.events.push(event);
      if (event.type === 'deposited') this.chain.deployBatch();
    });
    return wallet;
  }

  /** Puts the next note of the seed into a batch of deposits that are long ago. */
  async activeNote(wallet: Wallet, crowd = 5): Promise<WalletNote> {
    const { keys, storage, chain } = this;
    const { note } = await nextNote({ keys, pool: new FakePool(chain), storage });
    const others = Array.from({ length: crowd - 1 }, () => createNote().commitment);
    chain.seed([note.commitment, ...others]);
    const found = (await wallet.notes()).find(
      ({ commitment }) => BigInt(commitment) === note.commitment,
    );
    if (found === undefined) throw new Error('the wallet does not show its note');
    return found;
  }

  /** Number of payments from the shielded pool to an address. */
  paid(recipient = RECIPIENT): number {
    return this.chain.paymentsTo(BigInt(recipient));
  }
}

/** Returns the code of a failed action. @throws Error unless the action fails */
export async function failureOf(result: Promise<unknown>): Promise<string> {
  const error = await passTime(result.catch((caught: unknown) => caught));
  if (!(error instanceof ActionFailed)) throw new Error('the action has not failed');
  return error.code;
}
