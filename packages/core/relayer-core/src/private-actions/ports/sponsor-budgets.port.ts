/**
 * Sums of the gas that sponsors have promised, per day. All instances share them. Calls reject with
 * a `DomainError` if the store is unavailable.
 */
export abstract class SponsorBudgets {
  /**
   * Reserves an amount unless the day's sum would exceed the budget. The check and the reservation
   * are one atomic write.
   *
   * @param day days since 1 January 1970, UTC
   * @param amountFri amount in fri, at least 0
   * @param budgetFri highest sum of the day, in fri
   * @returns true if the amount was reserved
   */
  abstract reserve(
    sponsor: string,
    day: number,
    amountFri: bigint,
    budgetFri: bigint,
  ): Promise<boolean>;

  /** Releases a reservation. The sum never becomes negative. An unknown sum stays unknown. */
  abstract release(sponsor: string, day: number, amountFri: bigint): Promise<void>;

  /** Deletes the sums of the days before `beforeDay`. Returns the number of deleted sums. */
  abstract forget(beforeDay: number): Promise<number>;
}
