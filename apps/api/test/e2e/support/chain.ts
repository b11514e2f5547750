import {
  NodeClient,
  HeldKeys,
  StarknetAccountSigner,
  StarknetBroadcaster,
  oneNode,
  selectorOf,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { Felts, toFelt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import {
  sandboxWorld,
  type Control,
  type PaidInclusion,
  type Sandbox,
  type SandboxAccount,
  type SandboxPool,
} from '@sotto/sandbox';
import { boundsFor } from '@sotto/submission-core';
import { leaves, pool, vector } from './withdrawals.js';

const { tokens, accounts, oracle } = sandboxWorld;
const LIMITS = { l2Gas: 200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };

/**
 * Signer that all tests share. The thread of the signer keeps no process alive, and its start lasts
 * longer than all signatures of a test.
 */
const signer = new StarknetAccountSigner({
  chainId: shortStringFelt(sandboxWorld.chainId),
  keys: new HeldKeys(
    Object.values(accounts).map(({ address, privateKey }) => ({
      address: toFelt(address),
      privateKey: toFelt(privateKey),
    })),
  ),
});

/** State of the service's lane on chain. */
export interface LaneState {
  readonly nonce: bigint;
  readonly balanceFri: bigint;
}

interface Target {
  readonly to: bigint;
  readonly entrypoint: string;
}

/** A price that a test stores in the oracle. */
export interface StagedPrice {
  readonly usdE8: bigint;
  /** @default the price is as old as the block in which it is read */
  readonly publishedAtSeconds?: number;
  /** Number of publishers whose prices the oracle combined. @default 10 */
  readonly sources?: number;
}

/** The sandbox's chain for tests: reads, and actions of parties other than the service. */
export class TestChain {
  readonly control: Control;

  constructor(private readonly sandbox: Pick<Sandbox, 'rpcUrl' | 'control'>) {
    this.control = sandbox.control;
  }

  /**
   * Deposits the leaves of the test vector in the pool, from an account that the service does not
   * use. A second account pays the deposited tokens. Resets the counters.
   */
  async deposit(): Promise<void> {
    await this.depositInto(pool, leaves);
  }

  /** Deposits these leaves in a pool, with the accounts of {@link deposit}. */
  async depositInto({ address }: SandboxPool, commitments: readonly bigint[]): Promise<void> {
    const deposits = commitments.map((commitment) => [
      ...u256ToHalves(commitment),
      accounts.crowd1.address,
    ]);
    await this.#send(accounts.lane3, { to: address, entrypoint: 'deposit' }, deposits);
    this.control.mine();
    this.control.resetCounters();
  }

  /**
   * Adds a deposit to the pre-confirmed block. No accepted block contains the deposit until the
   * chain is mined.
   */
  async preConfirmDeposit({ address }: SandboxPool, commitment: bigint): Promise<void> {
    this.control.pause();
    await this.#send(accounts.lane3, { to: address, entrypoint: 'deposit' }, [
      [...u256ToHalves(commitment), accounts.crowd1.address],
    ]);
    this.control.advance('candidate');
    this.control.advance('pre_confirmed');
  }

  /** Approves a contract to spend this amount of the owner's tokens. */
  async approve(
    owner: SandboxAccount,
    token: bigint,
    spender: bigint,
    amount: bigint,
  ): Promise<void> {
    await this.act(owner, { to: token, entrypoint: 'approve' }, [spender, ...u256ToHalves(amount)]);
  }

  /** Sends one call from an account in a transaction, and mines a block for this transaction. */
  async act(account: SandboxAccount, target: Target, calldata: readonly bigint[]): Promise<void> {
    await this.#send(account, target, [calldata]);
    this.control.mine();
  }

  /**
   * Creates an order of recurring purchases for the buyer and approves its total. The first
   * purchase is due at once.
   */
  async openOrder(terms: {
    readonly sellToken: bigint;
    readonly amount: bigint;
    readonly frequencySeconds: bigint;
    readonly purchases: bigint;
  }): Promise<void> {
    const { sellToken, amount, frequencySeconds, purchases } = terms;
    const to = sandboxWorld.purchases.address;
    await this.approve(accounts.buyer, sellToken, to, amount * purchases);
    const order = [sellToken, ...u256ToHalves(amount), frequencySeconds, purchases, 0n];
    await this.#send(accounts.buyer, { to, entrypoint: 'create_order' }, [order]);
    this.control.mine();
  }

  /** Orders this many hourly purchases of WBTC, each for this amount of a token. */
  async orderPurchases(
    owner: SandboxAccount,
    sellToken: bigint,
    amount: bigint,
    total: bigint,
  ): Promise<void> {
    const { address } = sandboxWorld.purchases;
    await this.approve(owner, sellToken, address, amount * total);
    await this.#send(owner, { to: address, entrypoint: 'create_order' }, [
      [sellToken, ...u256ToHalves(amount), 3_600n, total, 0n],
    ]);
    this.control.mine();
  }

  /**
   * Relays the withdrawal from an account that the service does not use. If only tests advance the
   * chain, the transaction is in the pre-confirmed block at once.
   * @param from address of a pool @default the pool of the test vector
   */
  async relayByAnother(calldata: readonly string[], from: bigint = pool.address): Promise<void> {
    await this.#send(accounts.lane2, { to: from, entrypoint: 'withdraw' }, [calldata.map(BigInt)]);
  }

  /** Sets the oracle's price of a pair such as `BTC/USD`, with eight decimals. */
  setPrice(pair: string, { usdE8, publishedAtSeconds, sources = 10 }: StagedPrice): void {
    const id = BigInt(shortStringFelt(pair)).toString(16);
    const set = (key: string, value: bigint): void =>
      this.control.setStorage(oracle, `${key}:${id}`, value);
    set('price', usdE8);
    set('decimals', 8n);
    set('sources', BigInt(sources));
    set('live', publishedAtSeconds === undefined ? 1n : 0n);
    set('timestamp', BigInt(publishedAtSeconds ?? 0));
  }

  /** Includes waiting transactions in the pre-confirmed block. */
  preConfirm(): void {
    this.control.advance('candidate');
    this.control.advance('pre_confirmed');
  }

  /** Returns an owner's balance in sats. */
  async wbtcOf(owner: bigint): Promise<bigint> {
    return this.balanceOf(tokens.WBTC.address, owner);
  }

  /** Returns a balance in the token's smallest unit. */
  async balanceOf(token: bigint, owner: bigint): Promise<bigint> {
    return this.u256(token, 'balance_of', [owner]);
  }

  async lane(): Promise<LaneState> {
    const { address } = accounts.lane1;
    return {
      nonce: await this.#nonceOf(address),
      balanceFri: await this.balanceOf(tokens.STRK.address, address),
    };
  }

  /** Returns true if the vector's note is spent. */
  async isSpent(): Promise<boolean> {
    const [spent] = await this.view(
      pool.address,
      'is_spent',
      u256ToHalves(BigInt(vector.note.nullifierHash)),
    );
    return spent === 1n;
  }

  /**
   * Returns the included transactions that a service's account paid for, oldest first. @param
   * account @default lane 1
   */
  inclusions({ address }: SandboxAccount = accounts.lane1): readonly PaidInclusion[] {
    return this.control.paidInclusions().filter(({ sender }) => sender === address);
  }

  /**
   * Returns the hashes of the transactions of a service's account that wait in the mempool.
   * @param account @default lane 1
   */
  waiting({ address }: SandboxAccount = accounts.lane1): readonly bigint[] {
    return this.control
      .waiting()
      .filter(({ sender }) => sender === address)
      .map(({ hash }) => hash);
  }

  /** Returns the result of a contract's view at the pre-confirmed state, as a u256. */
  async u256(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
  ): Promise<bigint> {
    const [low = 0n, high = 0n] = await this.view(contract, entrypoint, calldata);
    return u256FromHalves(low, high);
  }

  /** Returns the result of a contract's view at the pre-confirmed state. */
  async view(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
  ): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map((felt): Felt => toFelt(felt)),
    };
    const result = await this.#query('starknet_call', { request, block_id: 'pre_confirmed' });
    if (!Array.isArray(result)) throw new Error(`${entrypoint} returned no felts`);
    return result.map((felt) => BigInt(String(felt)));
  }

  async #send(
    { address }: SandboxAccount,
    { to, entrypoint }: Target,
    calldatas: readonly (readonly bigint[])[],
  ): Promise<void> {
    const account = toFelt(address);
    const node = new NodeClient({
      url: this.sandbox.rpcUrl,
      readTimeoutMs: 10_000,
      sendTimeoutMs: 15_000,
    });
    const bounds = boundsFor(LIMITS, {
      l2GasFri: 8_000_000_000n,
      l1GasFri: 40_000_000_000_000n,
      l1DataGasFri: 1_000_000_000n,
    });
    const nonce = await this.#nonceOf(address);
    try {
      for (const [index, calldata] of calldatas.entries()) {
        const call = await signer.hashCall({ to: toFelt(to), entrypoint }, Felts.of(calldata));
        const { bytes } = await signer.signCall(call, {
          account,
          nonce: nonce + BigInt(index),
          bounds,
        });
        const answer = await new StarknetBroadcaster(oneNode(node)).send(bytes, 'node');
        if (answer.kind !== 'taken')
          throw new Error(`the sandbox answered ${answer.kind}: ${answer.code}`);
      }
    } finally {
      node.close();
    }
  }

  async #nonceOf(address: bigint): Promise<bigint> {
    return BigInt(
      String(
        await this.#query('starknet_getNonce', {
          contract_address: toFelt(address),
          block_id: 'pre_confirmed',
        }),
      ),
    );
  }

  async #query(method: string, params: object): Promise<unknown> {
    const response = await fetch(this.sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer: { readonly result?: unknown } = Object(await response.json());
    if (answer.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  }
}
