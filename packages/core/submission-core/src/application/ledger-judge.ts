import type { Felt } from '@sotto/kernel';
import type { Lane } from '../domain/rows.js';
import { isBehind } from '../domain/machine-state.js';
import type { ChainHead } from '../ports/chain.port.js';
import type { LedgerState } from '../ports/ledger.port.js';
import { bounded } from './bounded.js';
import type { LaneDependencies } from './lane-context.js';
import type { SubmissionSettings } from './settings.js';

/**
 * Failed reads of an account that the ledger does not know yet, after which the other accounts
 * start without it.
 */
const MOST_FAILURES = 3;
/** A nonce that is undecided for so long is worth a line in the log. */
const UNDECIDED_FOR_MS = 30_000;

/**
 * Nothing is sent, and nothing ends, before every known lane's account was compared with the ledger
 * once, whichever instance holds it: what a lost ledger sent from one lane may be a call that waits
 * for another here. So may what consumed a nonce that this ledger gave to another call: each nonce
 * that the chain had passed when it was first compared has to be settled too.
 */
export class LedgerJudge {
  #failures = 0;
  /** Accounts as the first comparison found them: later nonces are the present ledger's. */
  readonly #first = new Map<Felt, { readonly nonce: bigint; readonly blockNumber: number }>();
  #undecided: { readonly lane: Felt; readonly nonce: bigint; warnAtMs: number } | null = null;
  readonly #configured: readonly Felt[];

  constructor(
    private readonly deps: Pick<LaneDependencies, 'reader' | 'ledger' | 'clock' | 'logger'>,
    private readonly settings: Pick<SubmissionSettings, 'lanes' | 'chainId' | 'lookTimeoutMs'>,
  ) {
    this.#configured = settings.lanes.map(({ address }) => address);
  }

  /** The chain is read first, so a ledger that is up to it is never below. */
  async isUpToChain(): Promise<boolean> {
    const { reader, ledger } = this.deps;
    const before = this.#knownOf(await ledger.state());
    // An empty ledger says nothing of itself before a lane was introduced.
    if (before.length === 0) return false;
    const unmet = this.#configured.filter(
      (address) => !before.some((lane) => lane.address === address),
    );
    if (await this.#isAnyUsed(unmet)) return false;
    const head = await reader.head(before.map(({ address }) => address));
    const state = await ledger.state();
    if (
      head.chainId !== this.settings.chainId ||
      head.blockNumber < (state.lastBlock ?? 0) ||
      isBehind(state.lanes)
    )
      return false;
    const compared = this.#knownOf(state).filter(({ address }) =>
      before.some((lane) => lane.address === address),
    );
    const isCompared = compared.every(({ address, nextNonce, quarantine }) => {
      const account = head.accounts.get(address);
      return (
        quarantine !== null ||
        (account !== undefined && nextNonce !== null && account.nonce <= nextNonce)
      );
    });
    if (!isCompared) return false;
    for (const { address } of compared) if (!(await this.#isDecided(address, head))) return false;
    return true;
  }

  async #isDecided(address: Felt, { accounts, blockNumber }: ChainHead): Promise<boolean> {
    const nonce = accounts.get(address)?.nonce;
    // A lane in quarantine sends no call, and it ends by evidence for each of its nonces.
    if (nonce === undefined) return true;
    const first = this.#first.get(address) ?? { nonce, blockNumber };
    this.#first.set(address, first);
    // A node that is behind what another one has shown takes none of it back.
    if (blockNumber < first.blockNumber) return false;
    // A rollback may have taken back some of what the chain had passed.
    const passed = first.nonce < nonce ? first.nonce : nonce;
    const [lowest] = await this.deps.ledger.openNonces(address);
    if (lowest === undefined || lowest.row.nonce >= passed) return true;
    this.#warn(address, lowest.row.nonce);
    return false;
  }

  /** Once for each nonce, and not of one that the next looks settle. */
  #warn(lane: Felt, nonce: bigint): void {
    const { clock, logger } = this.deps;
    const nowMs = clock.monotonicMs();
    if (this.#undecided?.lane !== lane || this.#undecided.nonce !== nonce)
      this.#undecided = { lane, nonce, warnAtMs: nowMs + UNDECIDED_FOR_MS };
    if (nowMs < this.#undecided.warnAtMs) return;
    this.#undecided.warnAtMs = Infinity;
    const fields = { lane, nonce: String(nonce) };
    logger.warn(
      fields,
      'a nonce that the chain had passed is undecided: nothing is sent before it is',
    );
  }

  /**
   * An account that was used and is unknown here may have worked for what this ledger is a copy of:
   * it has to be introduced first.
   */
  async #isAnyUsed(accounts: readonly Felt[]): Promise<boolean> {
    if (accounts.length === 0 || this.#failures >= MOST_FAILURES) return false;
    const nonces = await this.#noncesOf(accounts);
    if (nonces.length < accounts.length) this.#failures += 1;
    if (this.#failures >= MOST_FAILURES) {
      const lanes = accounts.join(', ');
      this.deps.logger.warn(
        { lanes },
        'the others work without accounts that the ledger has never met and that can not be read',
      );
    }
    return nonces.length < accounts.length || nonces.some((nonce) => nonce > 0n);
  }

  /** Of those that can be read now. */
  async #noncesOf(accounts: readonly Felt[]): Promise<readonly bigint[]> {
    const { clock, reader } = this.deps;
    try {
      const head = await bounded(clock, this.settings.lookTimeoutMs / 2, reader.head(accounts));
      return [...head.accounts.values()].map(({ nonce }) => nonce);
    } catch {
      return [];
    }
  }

  #knownOf({ lanes }: LedgerState): readonly Lane[] {
    return lanes.filter(
      ({ address, nextNonce }) => this.#configured.includes(address) && nextNonce !== null,
    );
  }
}
