import {
  HeldKeys,
  StarknetAccountSigner,
  StarknetBroadcaster,
  oneNode,
  shortStringFelt,
  type NodeClient,
  type SendingNodes,
  type SigningAccount,
  type StarknetNode,
} from '@sotto/adapter-starknet';
import { Felts, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { Fault } from '@sotto/sandbox';
import { boundsFor, type GasPrices, type SignedTransaction } from '@sotto/submission-core';
import { lanesOf, signingAccount, type ChainWorld } from './chain-world.js';

/** What a node can be made to show; a case that it can't is shown as skipped. */
export interface ChainCapabilities {
  /**
   * Transactions wait before they are in a block, and one that waits is known when it comes again.
   */
  readonly mempool: boolean;
  /** A block in the place of an undone one has a hash of its own. */
  readonly renamesBlocks: boolean;
}

/** A fault for the next requests with this method. */
export interface FaultOrder {
  readonly method: string;
  readonly fault: Exclude<Fault, { kind: 'refuse' }>;
}

/** Leaves that a pool has when a test begins. */
export interface Deposits {
  readonly pool: keyof ChainWorld['pools'];
  readonly leaves: readonly bigint[];
}

/** A price as it is set in the oracle. */
export interface StagedPrice {
  readonly usdE8: bigint;
  readonly observedAtMs: number;
}

export interface StagedMarket {
  /** In the asset's smallest unit. */
  readonly reserve: bigint;
  readonly nominalDebtE18: bigint;
  readonly rateAccumulatorE18: bigint;
}

const LIMITS = { l2Gas: 1_000_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };
const BOUNDS = boundsFor(LIMITS, {
  l2GasFri: 10_000_000_000n,
  l1GasFri: 50_000_000_000_000n,
  l1DataGasFri: 1_000_000_000n,
});

/** By what they say. */
const signedBefore = new Map<string, SignedTransaction>();

/**
 * A chain with the development stack that moves by hand, and what speaks to it: the same for every
 * node. Nothing is in a block but what {@link mine} has put there, and each test has a chain on
 * which nothing has happened yet.
 */
export abstract class ChainStack {
  abstract readonly world: ChainWorld;
  abstract readonly capabilities: ChainCapabilities;
  abstract readonly url: string;
  /** Where the chain pushes over WebSocket. */
  abstract readonly wsUrl: string;
  /** What adapters ask: the node at {@link url}, or several that show its chain. */
  abstract readonly node: StarknetNode;
  /** The same, for what adapters send. */
  abstract readonly sending: SendingNodes;
  /** Of the node at {@link url}, closed with the stack. */
  protected abstract readonly client: NodeClient;
  /** Besides the world's accounts. */
  protected readonly otherSigners: readonly SigningAccount[] = [];
  readonly #nonces = new Map<Felt, bigint>();
  /** Members of the wire's transactions that are replaced. */
  readonly #flaws = new Map<Felt, Readonly<Record<string, unknown>>>();
  #signer: StarknetAccountSigner | undefined;

  /** Takes what was sent into the pre-confirmed block. */
  abstract preConfirm(): Promise<void>;
  /**
   * Takes what was sent into a block and closes it; so many blocks.
   * @returns the latest block's number
   */
  abstract mine(blocks?: number): Promise<number>;
  /** Makes these the prices of the latest block, and of those after it. */
  abstract setGasPrices(prices: Partial<GasPrices>): Promise<void>;
  /** Undoes so many of the latest blocks; what stood in them vanishes. */
  abstract rollback(blocks: number): Promise<void>;
  /** Every block up to the latest is at ACCEPTED_ON_L1. */
  abstract acceptOnL1(): Promise<void>;
  /** From now on the node can't answer reads that name this felt. */
  abstract makeUnreadable(felt: Felt): Promise<void>;
  /** So many seconds pass until the next block. */
  abstract passTime(seconds: number): Promise<void>;
  /** Leaves an account too little STRK for any transaction. */
  abstract impoverish(account: Felt): Promise<void>;
  /** What the oracle says of a pair such as `BTC/USD`; undefined for nothing. */
  abstract setPrice(pair: string, price: StagedPrice | undefined): Promise<void>;
  abstract setLendingMarket(pool: Felt, market: StagedMarket): Promise<void>;
  abstract pauseSwapPool(): Promise<void>;

  abstract addFault(order: FaultOrder): void;
  /** HTTP requests of {@link node} where it is one, and its calls that have reached the chain. */
  abstract counters(): {
    readonly httpRequests: number;
    readonly calls: Readonly<Record<string, number>>;
  };
  abstract resetCounters(): void;
  /** From now on nothing answers. */
  abstract breakDown(): Promise<void>;
  /** Ends what {@link stop} does not. */
  protected abstract end(): Promise<void>;
  /** Of an account that this stack has not signed for yet. */
  protected abstract firstNonce(account: Felt): Promise<bigint>;

  get lanes(): readonly [Felt, Felt] {
    return lanesOf(this.world);
  }

  /** Signs a call under the account's next unused nonce. */
  async sign(
    account: Felt,
    to: Felt,
    entrypoint: string,
    calldata: Felts,
  ): Promise<SignedTransaction> {
    const nonce = await this.#takeNonce(account);
    // Every test of a file begins with the same transactions, and to sign takes longer than to run.
    const content = [
      this.world.chainId,
      account,
      nonce,
      to,
      entrypoint,
      ...calldata.toHex(),
    ].join();
    const signed =
      signedBefore.get(content) ?? (await this.#signed(account, nonce, to, entrypoint, calldata));
    signedBefore.set(content, signed);
    const flaw = this.#flaws.get(account);
    return flaw === undefined ? signed : flawed(signed, flaw);
  }

  async #signed(
    account: Felt,
    nonce: bigint,
    to: Felt,
    entrypoint: string,
    calldata: Felts,
  ): Promise<SignedTransaction> {
    const signer = this.#signerOfStack();
    const call = await signer.hashCall({ to, entrypoint }, calldata);
    return signer.signCall(call, { account, nonce, bounds: BOUNDS });
  }

  async #takeNonce(account: Felt): Promise<bigint> {
    const nonce = this.#nonces.get(account) ?? (await this.firstNonce(account));
    this.#nonces.set(account, nonce + 1n);
    return nonce;
  }

  #signerOfStack(): StarknetAccountSigner {
    // Only for tests that sign: its worker thread takes a while to start.
    this.#signer ??= signerOf(this.world, this.otherSigners);
    return this.#signer;
  }

  /** Signs a call that succeeds and changes nothing that tests look at. */
  async signHarmless(account: Felt, amount = 1n): Promise<SignedTransaction> {
    return this.sign(
      account,
      toFelt(this.world.tokens.STRK.address),
      'approve',
      Felts.of([1n, amount, 0n]),
    );
  }

  /** Signs a transfer of more than anybody has. */
  async signReverting(account: Felt): Promise<SignedTransaction> {
    return this.sign(
      account,
      toFelt(this.world.tokens.STRK.address),
      'transfer',
      Felts.of([1n, 0n, 1n]),
    );
  }

  async send({ bytes, hash }: SignedTransaction, client = this.client): Promise<Felt> {
    const answer = await new StarknetBroadcaster(oneNode(client)).send(bytes, 'node');
    if (answer.kind !== 'taken') throw new Error(`the node answered ${answer.kind} ${answer.code}`);
    return hash;
  }

  /** Makes leaves in a pool: three deploy by themselves, so the last one of seven waits. */
  async deposit({ pool, leaves }: Deposits): Promise<void> {
    const to = toFelt(this.world.pools[pool].address);
    for (const leaf of leaves) {
      const calldata = Felts.of([...u256ToHalves(leaf), this.world.accounts.crowd1.address]);
      await this.send(await this.sign(this.lanes[0], to, 'deposit', calldata));
    }
    await this.mine();
  }

  /** Sends these sats to an address. @returns the latest block's number, which shows them */
  async giveWbtc(owner: Felt, sats: bigint): Promise<number> {
    const { accounts, tokens } = this.world;
    await this.#transfer(toFelt(accounts.crowd1.address), tokens.WBTC, owner, sats);
    return this.mine();
  }

  /** Sends so much STRK to an address, half of it from each lane: one alone may not hold it. */
  async giveStrk(owner: Felt, fri: bigint): Promise<void> {
    const [first, second] = this.lanes;
    const { STRK } = this.world.tokens;
    await this.#transfer(first, STRK, owner, fri / 2n);
    await this.#transfer(second, STRK, owner, fri - fri / 2n);
    await this.mine();
  }

  async #transfer(
    from: Felt,
    token: { readonly address: bigint },
    to: Felt,
    amount: bigint,
  ): Promise<void> {
    const calldata = Felts.of([BigInt(to), ...u256ToHalves(amount)]);
    await this.send(await this.sign(from, toFelt(token.address), 'transfer', calldata));
  }

  /** Signs a transaction without any call under the account's next unused nonce. */
  async signNoop(account: Felt): Promise<SignedTransaction> {
    return this.#signerOfStack().signNoop({
      account,
      nonce: await this.#takeNonce(account),
      bounds: BOUNDS,
    });
  }

  /** A foreign transaction with the account's key uses the nonce that is signed next. */
  async takeNonce(account: Felt): Promise<void> {
    const foreign = await this.signHarmless(account, 2n);
    this.#nonces.set(account, (this.#nonces.get(account) ?? 1n) - 1n);
    await this.send(foreign);
    await this.mine();
  }

  /** Signs with another key than the account's from now on. */
  useWrongKey(account: Felt): void {
    this.#flaws.set(account, { signature: ['0x1', '0x2'] });
  }

  /** Adds a proof that proves nothing to what the account signs from now on. */
  useWrongProof(account: Felt): void {
    this.#flaws.set(account, { proof: 'AAAA' });
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.#signer?.close();
    await this.end();
  }
}

/** Holds the keys of the accounts that sign in tests. */
export function signerOf(
  { chainId, accounts }: ChainWorld,
  others: readonly SigningAccount[] = [],
): StarknetAccountSigner {
  const { lane1, lane2, swapOwner, curator, crowd1 } = accounts;
  return new StarknetAccountSigner({
    chainId: shortStringFelt(chainId),
    keys: new HeldKeys([
      ...[lane1, lane2, swapOwner, curator, crowd1].map(signingAccount),
      ...others,
    ]),
  });
}

/** Under the hash that the honest transaction would have. */
function flawed(
  signed: SignedTransaction,
  flaw: Readonly<Record<string, unknown>>,
): SignedTransaction {
  const transaction: Record<string, unknown> = JSON.parse(new TextDecoder().decode(signed.bytes));
  const bytes = new TextEncoder().encode(JSON.stringify({ ...transaction, ...flaw }));
  return { ...signed, bytes };
}
