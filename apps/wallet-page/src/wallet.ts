import { signal } from '@preact/signals';
import { createSottoClient } from '@sotto/client';
import { createWorkerProver } from '@sotto/prover';
import { developmentArtefacts } from '@sotto/prover/development-keys';
import {
  Deposit,
  PrivateSwap,
  ShieldedPool,
  Withdrawal,
  browserStorage,
  deriveNoteKeys,
  jsonRpcNode,
  nextNote,
  recoverNotes,
  type DepositAccount,
  type NodeReader,
  type Note,
  type NoteKeys,
  type Prover,
  type Relayer,
  type WalletStorage,
} from '@sotto/wallet';
import { depositorOf } from './account.js';
import { readSettings, type DevelopmentSettings } from './settings.js';
import { withEvent, type NoteEvent, type Step, type Undertaking } from './timeline.js';
import { messageOf, type NoteState } from './words.js';

export interface Token {
  readonly symbol: string;
  /** 0x hex. */
  readonly address: string;
  readonly decimals: number;
}

/** A pool that the wallet may use. */
export interface PoolInUse {
  readonly key: string;
  readonly view: ShieldedPool;
  readonly token: Token;
  /** Whether private swaps start from it. */
  readonly swaps: boolean;
  /** What each deposit is worth, in the token's smallest unit. */
  readonly amount: bigint;
}

/** What private swaps lead to. */
interface SwapsInUse {
  readonly view: ShieldedPool;
  readonly outputTokens: readonly Token[];
}

/** A note as the page shows it. */
export class NoteCard {
  readonly steps = signal<readonly Step[]>([]);
  readonly state = signal<NoteState>('depositing');
  /** What the recipient holds afterwards, in the token's smallest unit. */
  readonly paid = signal<{ readonly amount: bigint; readonly token: Token } | null>(null);
  /** What went wrong outside of the timeline, for people. */
  readonly problem = signal<string | null>(null);
  /** Ends what follows the deposit. */
  stopWaiting: AbortController | undefined;

  constructor(
    readonly pool: PoolInUse,
    readonly note: Note,
  ) {}

  take(event: NoteEvent, of: Undertaking): void {
    this.steps.value = withEvent(this.steps.value, event, of, new Date());
    this.state.value = stateAfter(event, of) ?? this.state.value;
  }
}

/** What an event makes of the note; others leave it as it is. */
const STATE_AFTER: Partial<Record<NoteEvent['type'], NoteState>> = {
  deposited: 'waiting',
  active: 'active',
  settled: 'spent',
};
const ENDS: ReadonlySet<NoteEvent['type']> = new Set(['failed', 'stopped', 'needs-new-quote']);

function stateAfter({ type }: NoteEvent, of: Undertaking): NoteState | undefined {
  if (!ENDS.has(type)) return STATE_AFTER[type];
  return of === 'deposit' ? 'failed' : 'active';
}

interface Parts {
  readonly settings: DevelopmentSettings;
  readonly storage: WalletStorage;
  readonly keys: NoteKeys;
  readonly node: NodeReader;
  readonly account: DepositAccount;
  readonly relayers: readonly Relayer[];
  readonly pools: readonly PoolInUse[];
  /** Null where the service does not swap. */
  readonly swaps: SwapsInUse | null;
}

/** Fees move while a proof is made: so many times the present one is agreed to. */
const FEE_ROOM = 3n;
/** Of the value at present prices, what a swap has to bring at least, in percent. */
const LEAST_PERCENT = 95n;
/** Most of what a swap has brought that its withdrawal may cost: one part of so many. */
const WITHDRAWAL_SHARE = 20n;
/** A development chain closes its blocks within seconds. */
const LOOK_EVERY_MS = 250;
const MOST_LOOKS = 120;
/** Notes of this seed that a deposit is looked for among. */
const MOST_NOTES = 200;

/** A wallet whose seed is kept by this browser, and whose money is worth nothing. */
export class Wallet {
  readonly cards = signal<readonly NoteCard[]>([]);
  readonly #prover: Prover = createWorkerProver({ artefacts: developmentArtefacts });

  private constructor(private readonly parts: Parts) {}

  get pools(): readonly PoolInUse[] {
    return this.parts.pools;
  }

  /** Who is paid unless the user names another. */
  get recipient(): string {
    return this.parts.settings.recipient;
  }

  /**
   * Opens the wallet of this browser, and goes on with what it had begun.
   * @throws Error with what is missing
   */
  static async open(serviceUrl: string): Promise<Wallet> {
    const settings = await readSettings();
    const storage = browserStorage('sotto-development-wallet');
    const node = jsonRpcNode({ url: settings.nodeUrl });
    const wallet = new Wallet({
      settings,
      storage,
      node,
      keys: deriveNoteKeys(await seedIn(storage)),
      account: depositorOf(settings),
      relayers: [{ baseUrl: serviceUrl, signerKey: await signerOf(serviceUrl, node) }],
      ...(await poolsOf(serviceUrl, node, storage)),
    });
    await wallet.#goOn();
    return wallet;
  }

  /** Makes the next note of the seed and deposits it. */
  async deposit(pool: PoolInUse): Promise<void> {
    const { keys, storage } = this.parts;
    const { note } = await nextNote({ keys, pool: pool.view, storage });
    const card = this.#show(new NoteCard(pool, note));
    await this.#followDeposit(card, () => this.#begunDeposit(card));
  }

  /** Has the relayer deploy what waits: the batch may be small, so the note hides among few. */
  async fillBatch(card: NoteCard): Promise<void> {
    const { view } = card.pool;
    const [relayer] = this.parts.relayers;
    const client = createSottoClient({ baseUrl: relayer?.baseUrl ?? '' });
    await view.refresh();
    const { error } = await client.POST('/api/relayer/deploy-batch', {
      body: { poolAddress: view.address, count: view.waiting, partial: true },
    });
    if (error !== undefined) throw new Error(error.error);
    // The deposit would look for its batch after a while.
    for (let looks = 0; view.placeOf(card.note.commitment)?.batch === undefined; looks += 1) {
      if (looks === MOST_LOOKS) throw new Error('the batch is not in an accepted block yet');
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      await view.refresh();
    }
    card.stopWaiting?.abort();
    await this.#followDeposit(card, () => this.#begunDeposit(card));
  }

  /** Proves and withdraws. */
  async withdraw(card: NoteCard, recipient: string): Promise<void> {
    const { storage, relayers } = this.parts;
    const maxFee = (await this.feeNow(card.pool)) * FEE_ROOM;
    const withdrawal = Withdrawal.begin({
      note: card.note,
      pool: card.pool.view,
      prover: this.#prover,
      relayers,
      recipient,
      maxFee,
      storage,
    });
    await this.#followWithdrawal(card, withdrawal, recipient);
  }

  /** Tokens that a note of the pool may be swapped into. */
  outputsOf({ swaps }: PoolInUse): readonly Token[] {
    return swaps ? (this.parts.swaps?.outputTokens ?? []) : [];
  }

  /**
   * What a swap of a note has to bring at least by present prices, in the output token's smallest
   * unit; null where the service gives no price of the token.
   */
  async leastOutput(pool: PoolInUse, { symbol, decimals }: Token): Promise<bigint | null> {
    const { prices } = await this.#estimate(pool, 'private_swap');
    const known: Readonly<Record<string, number>> = { USDC: 1, STRK: prices.strkUsd };
    const price = known[symbol];
    if (price === undefined) return null;
    const usd = (Number(pool.amount) / 10 ** pool.token.decimals) * prices.btcUsd;
    return (BigInt(Math.floor((usd / price) * 10 ** decimals)) * LEAST_PERCENT) / 100n;
  }

  /** Swaps in private, and withdraws what that brings. */
  async swap(
    card: NoteCard,
    terms: { readonly output: Token; readonly minAmountOut: bigint; readonly recipient: string },
  ): Promise<void> {
    const { output, minAmountOut, recipient } = terms;
    const { feeAmount } = await this.#estimate(card.pool, 'private_swap');
    const swap = PrivateSwap.begin({
      ...this.#swapMeans(card),
      outputToken: output.address,
      minAmountOut,
      maxFee: BigInt(feeAmount) * FEE_ROOM,
      recipient,
      maxWithdrawalFee: minAmountOut / WITHDRAWAL_SHARE,
      storage: this.parts.storage,
    });
    await this.#followSwap(card, swap, { output, recipient });
  }

  #swapMeans({ note, pool }: NoteCard) {
    const { keys, relayers, swaps } = this.parts;
    if (swaps === null) throw new Error('the service does not swap');
    return { note, keys, relayers, pool: pool.view, swapPool: swaps.view, prover: this.#prover };
  }

  async #followSwap(
    card: NoteCard,
    swap: PrivateSwap,
    { output, recipient }: { readonly output: Token; readonly recipient: string },
  ): Promise<void> {
    card.state.value = 'swapping';
    for await (const event of swap.events()) card.take(event, 'swap');
    if (card.state.peek() === 'spent') card.paid.value = await this.#balance(output, recipient);
  }

  /** What a withdrawal costs now, in the token's smallest unit. @throws Error while not known */
  async feeNow(pool: PoolInUse): Promise<bigint> {
    return BigInt((await this.#estimate(pool, 'withdraw')).feeAmount);
  }

  async #estimate({ view }: PoolInUse, operation: 'withdraw' | 'private_swap') {
    const [relayer] = this.parts.relayers;
    const { data, error } = await createSottoClient({ baseUrl: relayer?.baseUrl ?? '' }).GET(
      '/api/relayer/fee-estimate',
      { params: { query: { pool: view.address, operation } } },
    );
    if (data === undefined) throw new Error(error?.error ?? 'the fee is not known');
    return data;
  }

  #begunDeposit({ note, pool }: NoteCard): Deposit {
    const { storage, relayers, account } = this.parts;
    const payment = { token: pool.token.address, amount: pool.amount };
    return Deposit.begin({ note, pool: pool.view, account, relayers, payment, storage });
  }

  async #followDeposit(card: NoteCard, begin: () => Deposit): Promise<void> {
    const stop = new AbortController();
    card.stopWaiting = stop;
    for await (const event of begin().events({ signal: stop.signal })) card.take(event, 'deposit');
  }

  async #followWithdrawal(
    card: NoteCard,
    withdrawal: Withdrawal,
    recipient: string,
  ): Promise<void> {
    card.state.value = 'withdrawing';
    for await (const event of withdrawal.events()) card.take(event, 'withdrawal');
    if (card.state.peek() === 'spent')
      card.paid.value = await this.#balance(card.pool.token, recipient);
  }

  async #balance(token: Token, owner: string): Promise<{ amount: bigint; token: Token }> {
    const [low = 0n, high = 0n] = await this.parts.node.call({
      contract: token.address,
      entrypoint: 'balance_of',
      calldata: [BigInt(owner)],
    });
    return { amount: low + (high << 128n), token };
  }

  #show(card: NoteCard): NoteCard {
    this.cards.value = [card, ...this.cards.value];
    return card;
  }

  /** Finds the seed's notes, and follows deposits and withdrawals that are under way. */
  async #goOn(): Promise<void> {
    const { keys, storage, pools, relayers } = this.parts;
    const found = await recoverNotes({ keys, storage, pools: pools.map(({ view }) => view) });
    const withdrawals = await Withdrawal.list(storage);
    const swaps = await PrivateSwap.list(storage);
    for (const { pool: view, note, status } of found) {
      const pool = pools.find((one) => one.view === view);
      if (pool === undefined) continue;
      const card = this.#show(new NoteCard(pool, note));
      card.state.value = status;
      const open = withdrawals.find(
        ({ state, commitment }) => state === 'open' && BigInt(commitment) === note.commitment,
      );
      const swap = swaps.find(
        ({ state, commitment }) =>
          (state === 'open' || state === 'swapped') && BigInt(commitment) === note.commitment,
      );
      const output = this.outputsOf(pool).find(
        ({ address }) => swap !== undefined && BigInt(address) === BigInt(swap.outputToken),
      );
      if (swap !== undefined && output !== undefined) {
        const resumed = await PrivateSwap.resume(storage, swap.id, this.#swapMeans(card));
        goOn(card, this.#followSwap(card, resumed, { output, recipient: swap.recipient }));
      } else if (status === 'waiting')
        goOn(
          card,
          this.#followDeposit(card, () => this.#begunDeposit(card)),
        );
      else if (open !== undefined) {
        const means = { note, pool: view, prover: this.#prover, relayers };
        const withdrawal = await Withdrawal.resume(storage, open.id, means);
        goOn(card, this.#followWithdrawal(card, withdrawal, open.recipient));
      }
    }
    for (const { state, pool: address, commitment } of await Deposit.list(storage)) {
      if (state !== 'open') continue;
      const pool = pools.find(({ view }) => BigInt(view.address) === BigInt(address));
      const note = pool && this.#noteWith(pool, BigInt(commitment));
      if (pool === undefined || note === undefined) continue;
      if (this.cards.value.some((card) => card.note.commitment === note.commitment)) continue;
      const card = this.#show(new NoteCard(pool, note));
      goOn(
        card,
        this.#followDeposit(card, () => this.#begunDeposit(card)),
      );
    }
  }

  #noteWith({ view }: PoolInUse, commitment: bigint): Note | undefined {
    for (let index = 0; index < MOST_NOTES; index += 1) {
      const note = this.parts.keys.note({ chainId: view.chainId, pool: view.address, index });
      if (note.commitment === commitment) return note;
    }
    return undefined;
  }
}

/** Nothing waits for what goes on after a reload: its card says what goes wrong. */
function goOn(card: NoteCard, following: Promise<void>): void {
  following.catch((error: unknown) => (card.problem.value = messageOf(error)));
}

const SEED_KEY = 'development-page/seed';
const SEED_BYTES = 32;

/** The seed of this browser, made at its first visit. In a real wallet its user has it too. */
async function seedIn(storage: WalletStorage): Promise<Uint8Array> {
  const made = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  await storage.replace(SEED_KEY, undefined, made.join(' '));
  const kept = (await storage.read(SEED_KEY)) ?? '';
  return Uint8Array.from(kept.split(' '), Number);
}

/**
 * The key that signs the relayer's quotes, from its account on the chain. A real wallet knows its
 * relayers' keys, or at least their accounts, beforehand.
 */
async function signerOf(serviceUrl: string, node: NodeReader): Promise<string> {
  const { data } = await createSottoClient({ baseUrl: serviceUrl }).GET('/status');
  if (data === undefined) throw new Error('the service does not say who it is');
  const [key] = await node.call({ contract: data.signer, entrypoint: 'get_public_key' });
  if (key === undefined) throw new Error('the service’s account has no key');
  return `0x${key.toString(16)}`;
}

async function poolsOf(
  serviceUrl: string,
  node: NodeReader,
  cache: WalletStorage,
): Promise<Pick<Parts, 'pools' | 'swaps'>> {
  const { data } = await createSottoClient({ baseUrl: serviceUrl }).GET('/api/relayer/pools');
  if (data === undefined) throw new Error('the service does not list its pools');
  const readable = data.pools.flatMap(({ denominationAmount, ...pool }) =>
    denominationAmount === null ? [] : [{ ...pool, amount: BigInt(denominationAmount) }],
  );
  const pools = await Promise.all(
    readable.map(async ({ key, kind, address, token, amount }) => ({
      key,
      token,
      amount,
      swaps: kind === 'swap_input',
      view: await ShieldedPool.open({ node, address, cache, token: token.address }),
    })),
  );
  const { swapOutputs, privateSwap } = data;
  if (swapOutputs === null || privateSwap === null) return { pools, swaps: null };
  const { address } = swapOutputs;
  const view = await ShieldedPool.open({ node, address, cache, kind: 'swap' });
  return { pools, swaps: { view, outputTokens: privateSwap.outputTokens } };
}
