import {
  createNote,
  deriveNoteKeys,
  PrivateSwap,
  type PrivateSwapEvent,
  type PrivateSwapOptions,
} from '../../src/advanced.js';
import {
  FakeChain,
  FakePool,
  FakeProver,
  FakeSwapChain,
  FakeSwapPoolView,
  FakeSwapRelayer,
} from '../../src/testing/index.js';
import { MemoryStorage } from './memory-storage.js';
import { WalletProcess } from './wallet-process.js';

export const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
const SEED = Uint8Array.from({ length: 32 }, (_, index) => index);

/**
 * Fake environment of a wallet: two pools, two relayers that swap, and the wallet's storage. The
 * environment continues to exist when a process of the wallet ends.
 */
export class SwapWorld {
  readonly note = createNote();
  readonly keys = deriveNoteKeys(SEED);
  readonly chain = new FakeChain();
  readonly swapChain = new FakeSwapChain();
  readonly storage = new MemoryStorage();
  readonly prover = new FakeProver();
  readonly first = new FakeSwapRelayer(this.chain, this.swapChain);
  readonly second = new FakeSwapRelayer(this.chain, this.swapChain, {
    baseUrl: 'https://second.example',
    privateKey: '0x222',
    feeAddress: '0xfee2',
  });
  readonly relayers = [this.first, this.second];

  constructor() {
    this.chain.seed([createNote().commitment, createNote().commitment, this.note.commitment]);
  }

  means(process = new WalletProcess()) {
    return {
      note: this.note,
      pool: process.pool(new FakePool(this.chain)),
      swapPool: process.pool(new FakeSwapPoolView(this.swapChain)),
      keys: this.keys,
      prover: process.prover(this.prover),
      relayers: this.relayers.map(({ relayer }) => process.relayer(relayer)),
      locks: null,
    };
  }

  begin(changes: Partial<PrivateSwapOptions> = {}, process = new WalletProcess()): PrivateSwap {
    return PrivateSwap.begin({
      ...this.means(process),
      storage: process.storage(this.storage),
      outputToken: this.first.outputToken,
      minAmountOut: 90n,
      maxFee: 100n,
      recipient: RECIPIENT,
      maxWithdrawalFee: 100n,
      waitForSwap: 0,
      ...changes,
    });
  }

  /** Simulates a start of the wallet. If a swap exists, it continues; otherwise a swap begins. */
  async run(process: WalletProcess): Promise<readonly PrivateSwapEvent[]> {
    const storage = process.storage(this.storage);
    const [begun] = await PrivateSwap.list(storage);
    const swap =
      begun === undefined
        ? this.begin({}, process)
        : await PrivateSwap.resume(storage, begun.id, this.means(process));
    const events: PrivateSwapEvent[] = [];
    for await (const event of swap.events()) events.push(event);
    return events;
  }

  /** Number of payments from the swap pool to the recipient. */
  get paid(): number {
    return this.swapChain.paymentsTo(BigInt(RECIPIENT));
  }

  /** Returns the complete content of the storage as text. */
  async kept(): Promise<string> {
    const keys = await this.storage.keys('');
    const texts = await Promise.all(
      keys.map(async (key) => `${key} ${await this.storage.read(key)}`),
    );
    return texts.join('\n');
  }
}
