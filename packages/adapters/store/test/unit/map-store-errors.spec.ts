import { describe, expect, it } from '@jest/globals';
import { LedgerOfAnotherChain, LedgerUnavailable } from '@sotto/submission-core';
import { withStoreErrors } from '../../src/map-store-errors.js';

class Store {
  #reads = 0;

  async count(): Promise<number> {
    this.#reads += 1;
    return this.#reads;
  }

  failing(error: Error): Promise<never> {
    return Promise.reject(error);
  }

  failingAtOnce(error: Error): Promise<never> {
    throw error;
  }
}

describe('withStoreErrors', () => {
  const store = withStoreErrors(new Store());

  it('withStoreErrors calls the store’s methods on the store, not on the proxy', async () => {
    expect([await store.count(), await store.count()]).toEqual([1, 2]);
    expect(store).toBeInstanceOf(Store);
  });

  it('withStoreErrors maps every error to LedgerUnavailable with the code of the cause', async () => {
    const cause = Object.assign(new Error('i/o error'), { code: 'EIO' });
    for (const answer of [store.failing(cause), store.failingAtOnce(cause)])
      await expect(answer).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE', causeCode: 'EIO' });
  });

  it('withStoreErrors throws LedgerUnavailable and LedgerOfAnotherChain unchanged', async () => {
    const unavailable = new LedgerUnavailable({ message: 'no', causeCode: 'SCHEMA_IS_NEWER' });
    await expect(store.failing(unavailable)).rejects.toBe(unavailable);
    const other = new LedgerOfAnotherChain({ message: 'another' });
    await expect(store.failing(other)).rejects.toBe(other);
  });

  it('the types of withStoreErrors reject a store that has a synchronous method', () => {
    class Counting {
      count(): number {
        return 1;
      }
    }
    // @ts-expect-error the call would become asynchronous
    expect(withStoreErrors(new Counting())).toBeInstanceOf(Counting);
  });
});
