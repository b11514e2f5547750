import type { DomainError } from '@sotto/kernel';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import type { SponsorBudgets } from '../../private-actions/ports/sponsor-budgets.port.js';

/** Sums in memory, which are lost when the process ends. */
export class InMemorySponsorBudgets implements SponsorBudgets {
  readonly #sums = new Map<number, Map<string, bigint>>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async reserve(
    sponsor: string,
    day: number,
    amountFri: bigint,
    budgetFri: bigint,
  ): Promise<boolean> {
    const sums = this.#sumsOf(day);
    const reservedFri = (sums.get(sponsor) ?? 0n) + amountFri;
    if (reservedFri > budgetFri) return false;
    this.#sums.set(day, sums.set(sponsor, reservedFri));
    return true;
  }

  async release(sponsor: string, day: number, amountFri: bigint): Promise<void> {
    const sums = this.#sumsOf(day);
    const reservedFri = sums.get(sponsor);
    if (reservedFri === undefined) return;
    sums.set(sponsor, reservedFri > amountFri ? reservedFri - amountFri : 0n);
  }

  async forget(beforeDay: number): Promise<number> {
    this.#throwFailure();
    const past = [...this.#sums].filter(([day]) => day < beforeDay);
    for (const [day] of past) this.#sums.delete(day);
    return past.reduce((total, [, sums]) => total + sums.size, 0);
  }

  #sumsOf(day: number): Map<string, bigint> {
    this.#throwFailure();
    return this.#sums.get(day) ?? new Map<string, bigint>();
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
