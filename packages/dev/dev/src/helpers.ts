import { DevError } from './dev-error.js';
import {
  fromJson,
  type DevDescription,
  type DevDescriptionJson,
  type PoolKey,
  type TokenSymbol,
} from './description.js';
import type { Fault } from './fault.js';

/** A pool, by its key or its address. */
export type PoolName = PoolKey | (string & {});

/** Body of `POST /api/relayer/withdraw`. */
export interface ReadyWithdrawal {
  readonly poolAddress: string;
  readonly calldata: readonly string[];
}

export interface ReadyWithdrawalTerms {
  /** @default 'sentinel_1x' */
  readonly pool?: PoolName;
  /** Address that receives the payout. */
  readonly recipient: string;
  /** Fee in the smallest unit of the pool's token. @default the maximum that the pool allows */
  readonly fee?: bigint;
}

/** A deposit in an accepted block. */
export interface MadeDeposit {
  readonly leafIndex: number;
  readonly transactionHash: string;
}

/**
 * Operations that only a development chain supports. Each call throws {@link DevError} if it is
 * rejected.
 */
export interface DevHelpers {
  /** Mints tokens for an address. @param amount in the token's smallest unit */
  fund(order: { address: string; token: TokenSymbol; amount: bigint }): Promise<void>;
  /**
   * Deposits a commitment into a pool, as the pool's relayer does for a depositor.
   * @param order.depositor must have approved the denomination. @default one of the crowd
   */
  deposit(order: { pool: PoolName; commitment: bigint; depositor?: string }): Promise<MadeDeposit>;
  /**
   * Makes the crowd deposit until no deposit waits for its batch. @returns number of these deposits
   */
  fillBatch(pool: PoolName): Promise<number>;
  /**
   * Returns a withdrawal of an active deposit, with a proof that needs no proving: it is forged
   * with the secret of the development setup.
   */
  readyWithdrawal(terms: ReadyWithdrawalTerms): Promise<ReadyWithdrawal>;
  /** Closes this many blocks. @returns the newest block's number */
  mine(blocks?: number): Promise<number>;
  /** Moves the node's clock; the service's clock is unaffected. */
  moveClock(byMs: number): Promise<void>;
  fault(fault: Fault): Promise<void>;
  /** Ends every fault; resolves when the service is ready again. */
  endFaults(): Promise<void>;
}

/** Client of a stack's helpers over HTTP. */
export class HelperClient implements DevHelpers {
  constructor(readonly helpersUrl: string) {}

  async fund(order: { address: string; token: TokenSymbol; amount: bigint }): Promise<void> {
    await this.#ask('fund', order);
  }

  deposit(order: { pool: PoolName; commitment: bigint; depositor?: string }): Promise<MadeDeposit> {
    return this.#ask('deposit', order);
  }

  fillBatch(pool: PoolName): Promise<number> {
    return this.#ask('fill-batch', { pool });
  }

  readyWithdrawal(terms: ReadyWithdrawalTerms): Promise<ReadyWithdrawal> {
    return this.#ask('ready-withdrawal', terms);
  }

  mine(blocks = 1): Promise<number> {
    return this.#ask('mine', { blocks });
  }

  async moveClock(byMs: number): Promise<void> {
    await this.#ask('move-clock', { byMs });
  }

  async fault(fault: Fault): Promise<void> {
    await this.#ask('fault', fault);
  }

  async endFaults(): Promise<void> {
    await this.#ask('end-faults', {});
  }

  async #ask<T>(name: string, order: object): Promise<T> {
    const body = JSON.stringify(order, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const headers = { 'content-type': 'application/json' };
    const url = `${this.helpersUrl}/${name}`;
    return answerOf<T>(await reached(url, { method: 'POST', headers, body }));
  }
}

/** Reads a stack's description. @throws DevError if there is no stack */
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
