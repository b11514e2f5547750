import { DevError } from './dev-error.js';
import {
  fromJson,
  type DevDescription,
  type DevDescriptionJson,
  type PoolKey,
  type TokenSymbol,
} from './description.js';
import type { Fault } from './fault.js';

/** Key or address of a pool. */
export type PoolName = PoolKey | (string & {});

/** Request body of `POST /api/relayer/withdraw`. */
export interface ReadyWithdrawal {
  readonly poolAddress: string;
  readonly calldata: readonly string[];
}

export interface ReadyWithdrawalTerms {
  /** Pool of the withdrawal. @default 'sentinel_1x' */
  readonly pool?: PoolName;
  /** Address that receives the payout. */
  readonly recipient: string;
  /**
   * Fee in the smallest unit of the pool's ERC-20 token. @default the maximum that the pool allows
   */
  readonly fee?: bigint;
}

/** Deposit that is in an accepted block. */
export interface MadeDeposit {
  readonly leafIndex: number;
  readonly transactionHash: string;
}

/**
 * Operations that only a development chain supports. Each call throws {@link DevError} if the
 * operation is rejected.
 */
export interface DevHelpers {
  /** Mints ERC-20 tokens for an address. @param amount amount in the token's smallest unit */
  fund(order: { address: string; token: TokenSymbol; amount: bigint }): Promise<void>;
  /**
   * Deposits a commitment into a pool, as the pool's relayer does for a depositor.
   * @param order.depositor account that must have approved the denomination. @default one of the
   *   accounts `crowd1` and `crowd2`
   */
  deposit(order: { pool: PoolName; commitment: bigint; depositor?: string }): Promise<MadeDeposit>;
  /**
   * Deposits from `crowd1` and `crowd2` until no deposit waits for its batch. @returns number of
   * new deposits
   */
  fillBatch(pool: PoolName): Promise<number>;
  /**
   * Returns a withdrawal of an active deposit. The proof is forged with the secret of the
   * development setup, which is faster than proving.
   */
  readyWithdrawal(terms: ReadyWithdrawalTerms): Promise<ReadyWithdrawal>;
  /** Adds this many blocks to the chain. @returns the number of the newest block */
  mine(blocks?: number): Promise<number>;
  /** Advances the node's clock by `byMs`. The service's clock does not change. */
  moveClock(byMs: number): Promise<void>;
  fault(fault: Fault): Promise<void>;
  /** Ends every fault and resolves when the service is ready again. */
  endFaults(): Promise<void>;
}

/** Client for a stack's helpers over HTTP. */
export class HelperClient implements DevHelpers {
  constructor(readonly helpersUrl: string) {}

  async fund(order: { address: string; token: TokenSymbol; amount: bigint }): Promise<void> {
    await this.#query('fund', order);
  }

  deposit(order: { pool: PoolName; commitment: bigint; depositor?: string }): Promise<MadeDeposit> {
    return this.#query('deposit', order);
  }

  fillBatch(pool: PoolName): Promise<number> {
    return this.#query('fill-batch', { pool });
  }

  readyWithdrawal(terms: ReadyWithdrawalTerms): Promise<ReadyWithdrawal> {
    return this.#query('ready-withdrawal', terms);
  }

  mine(blocks = 1): Promise<number> {
    return this.#query('mine', { blocks });
  }

  async moveClock(byMs: number): Promise<void> {
    await this.#query('move-clock', { byMs });
  }

  async fault(fault: Fault): Promise<void> {
    await this.#query('fault', fault);
  }

  async endFaults(): Promise<void> {
    await this.#query('end-faults', {});
  }

  async #query<T>(name: string, order: object): Promise<T> {
    const body = JSON.stringify(order, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const headers = { 'content-type': 'application/json' };
    const url = `${this.helpersUrl}/${name}`;
    return answerOf<T>(await reached(url, { method: 'POST', headers, body }));
  }
}

/** Reads a stack's description. @throws DevError if no stack responds at this URL */
export async function describeAt(helpersUrl: string): Promise<DevDescription> {
  return fromJson(await answerOf<DevDescriptionJson>(await reached(helpersUrl)));
}

async function reached(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new DevError(`no development stack answers at ${url}`, { cause });
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const { error }: { readonly error?: string } = JSON.parse(text);
  throw new DevError(error ?? `status ${response.status}`);
}
