import { isLive, type Attempt, type Ledger, type Revalidator } from '@sotto/submission-core';
import { isDeposit, readDepositCalldata } from '../../pools/domain/deposit.js';
import {
  fundsRejection,
  notIncluded,
  pendingDeposits,
} from '../../pools/domain/deposit-traffic.js';
import { servedPool, type ServedPool } from '../../pools/domain/pool.js';
import { DepositExists, DepositQueued } from '../../deposit-errors.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { LiveCall } from '../../pools/ports/traffic-store.port.js';
import type { DepositFunds, ReadDeposit } from './deposit-funds.js';
import { QUEUED_RETRY_SECONDS, type PoolTraffic } from '../../pools/application/pool-traffic.js';

const NOTHING = { balance: 0n, allowance: 0n };

/**
 * Checks a deposit again right before it is sent, because the depositor may have used the money or
 * the commitment since the admission. The deposit waits if its leaf would make the pool drop a root
 * that an admitted withdrawal needs. Attempts that are not deposits are ignored. The expiry of the
 * consent is the attempt's deadline, so it is not checked here.
 */
export class DepositRevalidator implements Revalidator {
  constructor(
    private readonly reader: Pick<PoolReader, 'depositFacts'>,
    private readonly ledger: Pick<Ledger, 'calldata'>,
    private readonly traffic: PoolTraffic,
    private readonly funds: DepositFunds,
    private readonly pools: readonly ServedPool[],
  ) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    if (!isDeposit(attempt)) return null;
    const calldata = await this.ledger.calldata(attempt.id);
    const call = calldata === null ? null : readDepositCalldata(calldata);
    if (call === null) throw new Error('calldata of a live deposit is missing');
    const served = servedPool(this.pools, attempt.subject);
    // Mark the deposit as one that will be sent before any read, so that the check of a concurrent
    // withdrawal includes this deposit.
    if (attempt.state === 'accepted') this.traffic.clear(attempt.id);
    let isCleared = false;
    try {
      const pending = pendingDeposits(await this.traffic.live(), attempt);
      const facts = await this.reader.depositFacts({
        pool: served.address,
        token: served.token.address,
        ...call,
        pending,
      });
      this.traffic.window.observe(served.address, facts);
      const rejection = await this.#rejection(attempt, served, { facts, pending });
      isCleared = rejection === null;
      return rejection;
    } finally {
      if (!isCleared) this.traffic.hold(attempt.id);
    }
  }

  async #rejection(
    attempt: Attempt,
    { address: pool }: ServedPool,
    read: ReadDeposit,
  ): Promise<string | null> {
    const { key, fingerprint, id, state } = attempt;
    const { facts } = read;
    if (facts.commitmentKnown) return DepositExists.code;
    const unpayable = fundsRejection(facts, NOTHING);
    if (unpayable !== null) return unpayable.code;
    if (!isLive(state) || state === 'broadcast') return null;
    const { live, ended } = await this.traffic.now();
    const before = { live: earlier(live, id), ended };
    const taken = await this.funds.taken({ pool, key, fingerprint }, before, read);
    if (fundsRejection(facts, taken) !== null) {
      throw new DepositQueued({
        details: { scope: 'funds' },
        retryAfterSeconds: QUEUED_RETRY_SECONDS,
      });
    }
    const leaves = this.traffic.ahead(notIncluded(live, facts), pool, id).length + 1;
    if (!(await this.traffic.roomFor(leaves, live, pool, facts.nextIndex))) {
      this.traffic.wait(pool, leaves);
      throw new DepositQueued({
        details: { scope: 'roots' },
        retryAfterSeconds: QUEUED_RETRY_SECONDS,
      });
    }
    return null;
  }
}

/**
 * Returns the calls that were accepted before this attempt, in the sequence of the ledger. Returns
 * all calls if the list does not contain the attempt.
 */
function earlier(live: readonly LiveCall[], id: string): readonly LiveCall[] {
  const place = live.findIndex((call) => call.id === id);
  return place < 0 ? live : live.slice(0, place);
}
