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

/** Features that a node supports. Test cases that need an unsupported feature are skipped. */
export interface ChainCapabilities {
  /**
   * True if sent transactions can wait outside a block, and if the node recognises a waiting
   * transaction when the same transaction is sent again.
   */
  readonly mempool: boolean;
  /** True if the replacement of a rolled back block has a different hash. */
  readonly renamesBlocks: boolean;
}

/** Fault that is injected into the next requests of the given RPC method. */
export interface FaultOrder {
  readonly method: string;
  readonly fault: Exclude<Fault, { kind: 'refuse' }>;
}

/** Deposits that a pool already has when a test starts. */
export interface Deposits {
  readonly pool: keyof ChainWorld['pools'];
  readonly leaves: readonly bigint[];
}

/** Price that is set in the oracle. */
export interface StagedPrice {
  readonly usdE8: bigint;
  readonly observedAtMs: number;
}

export interface StagedMarket {
  /** Reserve in the asset's smallest unit. */
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

/** Cache of signed transactions for all tests of a file, by the content of the transaction. */
const signedBefore = new Map<string, SignedTransaction>();

/**
 * Development stack and its clients, on a chain where a test creates each block explicitly. The
 * interface is the same for every node. Transactions enter a block only when a test calls {@link
 * mine}. Each test starts with an unused chain.
 */
export abstract class ChainStack {
  abstract readonly world: ChainWorld;
  abstract readonly capabilities: ChainCapabilities;
  abstract readonly url: string;
  /** URL of the WebSocket endpoint for subscriptions. */
  abstract readonly wsUrl: string;
  /** Node for the adapters' reads: the node at {@link url}, or several nodes of the same chain. */
  abstract readonly node: StarknetNode;
  /** Nodes for the adapters' sends. */
  abstract readonly sending: SendingNodes;
  /** Client of the node at {@link url}. The client is closed when the stack stops. */
  protected abstract readonly client: NodeClient;
  /** Signing accounts that are not in {@link ChainWorld}. */
  protected readonly otherSigners: readonly SigningAccount[] = [];
  readonly #nonces = new Map<Felt, bigint>();
  /**
   * JSON members that replace members of an account's signed transactions; the key is the account.
   */
  readonly #flaws = new Map<Felt, Readonly<Record<string, unknown>>>();
  #signer: StarknetAccountSigner | undefined;

  /** Includes sent transactions in the pre-confirmed block. */
  abstract preConfirm(): Promise<void>;
  /**
   * Creates a block with the sent transactions. Then creates empty blocks until the given number of
   * blocks is reached.
   * @returns the number of the latest block
   */
  abstract mine(blocks?: number): Promise<number>;
  /** Sets the gas prices of the latest block and of all later blocks. */
  abstract setGasPrices(prices: Partial<GasPrices>): Promise<void>;
  /**
   * Removes this number of the latest blocks (a reorg). The transactions of these blocks disappear
   * from the chain.
   */
  abstract rollback(blocks: number): Promise<void>;
  /** Sets the status of every block, including the latest block, to ACCEPTED_ON_L1. */
  abstract acceptOnL1(): Promise<void>;
  /** After this call, every read whose request contains this felt fails. */
  abstract makeUnreadable(felt: Felt): Promise<void>;
  /** Makes the timestamp of the next block this many seconds later. */
  abstract passTime(seconds: number): Promise<void>;
  /** Reduces the STRK balance of an account until it cannot pay for any transaction. */
  abstract impoverish(account: Felt): Promise<void>;
  /** Sets the oracle price of a pair such as `BTC/USD`; undefined removes the price. */
  abstract setPrice(pair: string, price: StagedPrice | undefined): Promise<void>;
  abstract setLendingMarket(pool: Felt, market: StagedMarket): Promise<void>;
  abstract pauseSwapPool(): Promise<void>;

  abstract addFault(order: FaultOrder): void;
  /**
   * Returns the number of HTTP requests that {@link node} sent, if it is a single node, and the
   * number of its calls that reached the chain.
   */
  abstract counters(): {
    readonly httpRequests: number;
    readonly calls: Readonly<Record<string, number>>;
  };
  abstract resetCounters(): void;
  /** Makes all nodes of the stack unreachable permanently. */
  abstract breakDown(): Promise<void>;
  /** Releases resources of the subclass that {@link stop} does not release. */
  protected abstract end(): Promise<void>;
  /** Reads the nonce of an account for which this stack has not signed a transaction yet. */
  protected abstract firstNonce(account: Felt): Promise<bigint>;

  get lanes(): readonly [Felt, Felt] {
    return lanesOf(this.world);
  }

  /** Signs a call with the account's next unused nonce. */
  async sign(
    account: Felt,
    to: Felt,
    entrypoint: string,
    calldata: Felts,
  ): Promise<SignedTransaction> {
    const nonce = await this.#takeNonce(account);
    // Signed transactions are cached: every test of a file starts with the same transactions, and
    // signing would need more time than the test.
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
    // The signer is created only for tests that sign, because its worker thread starts slowly.
    this.#signer ??= signerOf(this.world, this.otherSigners);
    return this.#signer;
  }

  /** Signs a call that succeeds and does not change any state that tests check. */
  async signHarmless(account: Felt, amount = 1n): Promise<SignedTransaction> {
    return this.sign(
      account,
      toFelt(this.world.tokens.STRK.address),
      'approve',
      Felts.of([1n, amount, 0n]),
    );
  }

  /** Signs a transfer of more than the total supply, which reverts. */
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

  /**
   * Makes the given deposits in a pool. Every three deposits are deployed automatically as a batch,
   * so the seventh deposit waits.
   */
  async deposit({ pool, leaves }: Deposits): Promise<void> {
    const to = toFelt(this.world.pools[pool].address);
    for (const leaf of leaves) {
      const calldata = Felts.of([...u256ToHalves(leaf), this.world.accounts.crowd1.address]);
      await this.send(await this.sign(this.lanes[0], to, 'deposit', calldata));
    }
    await this.mine();
  }

  /**
   * Transfers WBTC to an address; the amount is in sats. @returns the number of the latest block,
   * which includes the transfer
   */
  async giveWbtc(owner: Felt, sats: bigint): Promise<number> {
    const { accounts, tokens } = this.world;
    await this.#transfer(toFelt(accounts.crowd1.address), tokens.WBTC, owner, sats);
    return this.mine();
  }

  /**
   * Transfers STRK to an address, half of it from each lane, because one lane may not have enough.
   */
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

  /** Signs a transaction without calls, with the account's next unused nonce. */
  async signNoop(account: Felt): Promise<SignedTransaction> {
    return this.#signerOfStack().signNoop({
      account,
      nonce: await this.#takeNonce(account),
      bounds: BOUNDS,
    });
  }

  /**
   * Consumes the next nonce of the account with a transaction that is signed with the account's key
   * but not sent by the service.
   */
  async takeNonce(account: Felt): Promise<void> {
    const foreign = await this.signHarmless(account, 2n);
    this.#nonces.set(account, (this.#nonces.get(account) ?? 1n) - 1n);
    await this.send(foreign);
    await this.mine();
  }

  /** Replaces the signatures of all later transactions of the account by wrong signatures. */
  useWrongKey(account: Felt): void {
    this.#flaws.set(account, { signature: ['0x1', '0x2'] });
  }

  /** Adds an invalid proof to all later transactions of the account. */
  useWrongProof(account: Felt): void {
    this.#flaws.set(account, { proof: 'AAAA' });
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.#signer?.close();
    await this.end();
  }
}

/** Creates the signer of the test accounts. */
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

/** Replaces JSON members of the signed transaction but does not change its hash. */
function flawed(
  signed: SignedTransaction,
  flaw: Readonly<Record<string, unknown>>,
): SignedTransaction {
  const transaction: Record<string, unknown> = JSON.parse(new TextDecoder().decode(signed.bytes));
  const bytes = new TextEncoder().encode(JSON.stringify({ ...transaction, ...flaw }));
  return { ...signed, bytes };
}
