import { UNNAMED_CALLER, widestOf, type Caller } from '@sotto/kernel';
import type { Sponsor } from '../domain/sponsors.js';

/**
 * Prevents one network from using up the budget of a sponsor: the key is in the wallet's app, so
 * anyone may have it. Sums are in memory only, because they name networks. Each process counts its
 * own.
 */
export class SponsorShares {
  #day = 0;
  /** Reserved fri of the day, by sponsor and network. */
  #reserved = new Map<string, bigint>();

  /**
   * Reserves an amount in the part of the caller's network.
   * @param day days since 1 January 1970, UTC
   * @returns the function that releases the amount; null if the part is used up
   */
  take(
    caller: Caller,
    { name, budgetPerNetworkFri }: Sponsor,
    day: number,
    amountFri: bigint,
  ): (() => void) | null {
    if (caller === UNNAMED_CALLER) return () => {};
    // A clock that is set back does not renew the parts.
    if (day > this.#day) {
      this.#day = day;
      this.#reserved = new Map();
    }
    const reserved = this.#reserved;
    const key = `${name}|${widestOf(caller)}`;
    const sumFri = (reserved.get(key) ?? 0n) + amountFri;
    if (sumFri > budgetPerNetworkFri) return null;
    reserved.set(key, sumFri);
    let isHeld = true;
    return () => {
      if (isHeld) reserved.set(key, (reserved.get(key) ?? amountFri) - amountFri);
      isHeld = false;
    };
  }
}
