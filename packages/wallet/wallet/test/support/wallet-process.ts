import type {
  DepositAccount,
  PoolView,
  Prover,
  Relayer,
  WalletStorage,
} from '../../src/advanced.js';

/**
 * Moment of a call at which the process is closed: before the call runs, or after the call ran but
 * before its caller gets the result.
 */
export type Moment = 'before' | 'after';

const forEver = (): Promise<never> => new Promise(() => undefined);

/**
 * Process of a wallet, with its external calls. A test can close the process at any call: from then
 * on no call runs or returns, as in a closed tab.
 */
export class WalletProcess {
  /** Names of all external calls so far. */
  readonly calls: string[] = [];
  readonly closed: Promise<void>;
  #close: () => void = () => undefined;
  #isClosed = false;
  readonly #closesAt: { readonly call: number; readonly moment: Moment } | undefined;

  constructor(closesAt?: { readonly call: number; readonly moment: Moment }) {
    this.#closesAt = closesAt;
    this.closed = new Promise((resolve) => (this.#close = resolve));
  }

  storage(storage: WalletStorage): WalletStorage {
    return {
      read: (key) => this.#call('storage read', () => storage.read(key)),
      keys: (prefix) => this.#call('storage keys', () => storage.keys(prefix)),
      replace: (key, expected, next) =>
        this.#call('storage write', () => storage.replace(key, expected, next)),
    };
  }

  relayer(relayer: Relayer): Relayer {
    const { fetch } = relayer;
    if (fetch === undefined) throw new Error('a relayer of a test needs its fetch');
    return {
      ...relayer,
      fetch: (request) => this.#call(`${request.method} ${pathOf(request)}`, () => fetch(request)),
    };
  }

  prover(prover: Prover): Prover {
    return {
      prove: (request, options) => this.#call('proving', () => prover.prove(request, options)),
    };
  }

  account(account: DepositAccount): DepositAccount {
    return {
      address: account.address,
      execute: (calls) => this.#call('approving', () => account.execute(calls)),
      signMessage: (data) => this.#call('signing', () => account.signMessage(data)),
    };
  }

  pool<P extends PoolView>(pool: P): P {
    const refresh = pool.refresh.bind(pool);
    pool.refresh = (signal) => this.#call('chain read', () => refresh(signal));
    const { node } = pool;
    if (node !== undefined) {
      const call = node.call.bind(node);
      node.call = (view, signal) => this.#call(view.entrypoint, () => call(view, signal));
      const nonce = node.nonce?.bind(node);
      if (nonce !== undefined)
        node.nonce = (query, signal) => this.#call('nonce', () => nonce(query, signal));
    }
    return pool;
  }

  async #call<T>(name: string, carryOut: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return forEver();
    const isHere = this.calls.length === this.#closesAt?.call;
    this.calls.push(name.replace(/submission-.*/, '{id}'));
    if (isHere && this.#closesAt?.moment === 'before') return this.#end();
    const answer = await carryOut();
    return isHere ? this.#end() : this.#isClosed ? forEver() : answer;
  }

  #end(): Promise<never> {
    this.#isClosed = true;
    this.#close();
    return forEver();
  }
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
