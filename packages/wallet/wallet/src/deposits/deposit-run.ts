import type { JournalRun } from '../journeys/journal.js';
import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import { Pauses } from '../journeys/pauses.js';
import { answerWithin } from '../journeys/sleep.js';
import { untilRead } from '../journeys/until-read.js';
import type { Place, PoolView } from '../pools/pool-view.js';
import {
  MEMPOOL_LIFETIME_MS,
  RequestFollower,
  type RelayedRequest,
} from '../relayers/relayed-request.js';
import { RelayerChoice } from '../relayers/relayer-choice.js';
import {
  clientOf,
  type Relayer,
  type RelayersAsked,
  type UsableRelayer,
} from '../relayers/relayers.js';
import { NOT_SENT, RELAYER_SILENT, mayHaveLanded } from '../relayers/request-state.js';
import { askAccount } from './account-answer.js';
import { ApprovalStep } from './approval-step.js';
import type { Approvals } from './approvals.js';
import { rejectionBeforeApproval } from './ask-first.js';
import { feltsOf, type DepositAccount } from './deposit-account.js';
import { depositConsentTypedData } from './deposit-consent.js';
import { withLastConsent, type DepositEntry, type PostedConsent } from './deposit-entry.js';
import type { DepositEvent } from './deposit-events.js';

export interface DepositMeans {
  readonly pool: PoolView;
  readonly account: DepositAccount;
  readonly relayers: readonly Relayer[];
}

/** Validity of a consent, in seconds: half of the service's maximum. */
const CONSENT_SECONDS = 1_800;
/**
 * Minimum remaining validity of a consent, in seconds. If less time is left, a new consent is
 * signed.
 */
const LEAST_CONSENT_SECONDS = 120;
/** Maximum time in ms until a relayer's node shows an approval that the chain shows. */
const APPROVAL_MS = 300_000;
/** Timeout in ms of the chain read before a failure is reported. */
const SHOWN_TIMEOUT_MS = 30_000;
/** Shortest and longest pause in ms between two reads of a batch. Each pause doubles the last. */
const BATCH_LOOKS_MS = { first: 1_000, longest: 15_000 };

/**
 * Codes of rejections that are caused by the account or the note, so every relayer would reject
 * with the same code.
 */
const HOPELESS: ReadonlySet<string> = new Set([
  'COMMITMENT_INVALID',
  'DEPOSITOR_NOT_DEPLOYED',
  'DEPOSIT_BALANCE_TOO_LOW',
  'DEPOSIT_SIGNATURE_INVALID',
]);
const NEEDS_CONSENT: ReadonlySet<string> = new Set(['DEPOSIT_EXPIRED', 'DEPOSIT_EXPIRY_TOO_FAR']);

/**
 * Runs one deposit from the state in its journal. A pool accepts a commitment only once, so a
 * repeated request is paid once.
 */
export class DepositRun {
  readonly #means: DepositMeans & { readonly approvals: Approvals };
  readonly #journal: JournalRun<DepositEntry>;
  readonly #report: (event: DepositEvent) => void;
  readonly #signal: AbortSignal;
  readonly #choice: RelayerChoice;
  readonly #pauses: Pauses;
  /** True if a relayer would accept the deposit once the account has approved it. */
  #isAdmissible = false;
  readonly #approval: ApprovalStep;

  constructor(
    means: DepositMeans & { readonly approvals: Approvals },
    journal: JournalRun<DepositEntry>,
    emit: (event: DepositEvent) => void,
    signal: AbortSignal,
  ) {
    this.#means = means;
    this.#journal = journal;
    this.#report = emit;
    this.#signal = signal;
    this.#choice = new RelayerChoice(means.relayers);
    this.#pauses = new Pauses(signal);
    this.#approval = new ApprovalStep(means.account, means.approvals, signal);
  }

  get #entry(): DepositEntry {
    return this.#journal.entry;
  }

  /** Runs until the commitment is on chain or the deposit has failed. */
  async pay(): Promise<void> {
    while (this.#entry.state === 'open') {
      this.#signal.throwIfAborted();
      const last = this.#entry.postings.at(-1);
      await (last?.ended === null ? this.#follow(last) : this.#prepare());
    }
  }

  /** Runs after {@link pay}, until the batch of the deposit is deployed. */
  async awaitBatch(): Promise<void> {
    for (let pauseMs = BATCH_LOOKS_MS.first; this.#entry.state === 'deposited'; pauseMs *= 2) {
      const place = await this.#place();
      if (place === undefined) return this.#write({ state: 'open', leafIndex: null });
      const { leafIndex, batch } = place;
      if (batch !== undefined) return this.#write({ state: 'active', leafIndex, batch });
      this.#report({ type: 'deposited', leafIndex });
      await this.#pauses.pause(Math.min(pauseMs, BATCH_LOOKS_MS.longest));
    }
  }

  // Consents that were sent to a relayer.

  async #follow(posting: PostedConsent): Promise<void> {
    const { baseUrl } = posting;
    const end = await new RequestFollower(
      this.#requestOf(posting),
      {
        state: () => this.#entry.postings.at(-1) ?? posting,
        save: ({ location, unansweredSinceMs, firstSentMs }) =>
          this.#journal.write(
            withLastConsent(this.#entry, { location, unansweredSinceMs, firstSentMs }),
          ),
      },
      this.#report,
      this.#signal,
    ).follow();
    switch (end.kind) {
      case 'succeeded':
      case 'done':
        return this.#untilSeen(baseUrl);
      case 'silent':
        this.#choice.rest(baseUrl);
        return this.#endPosting(RELAYER_SILENT);
      case 'ended':
        await this.#endPosting(end.error.code);
        return this.#refused(baseUrl, end.error);
    }
  }

  #requestOf({ baseUrl, expiresAt, signature }: PostedConsent): RelayedRequest {
    const { pool, commitment, depositor } = this.#entry;
    const client = clientOf(this.#choice.at(baseUrl));
    return {
      baseUrl,
      client,
      doneCodes: ['DEPOSIT_EXISTS'],
      isDone: async (signal) => (await this.#placeNow(signal)) !== undefined,
      post: async (signal) => {
        const { data, error, response } = await client.POST('/api/relayer/deposit', {
          params: { header: { prefer: 'respond-async' } },
          body: { poolAddress: pool, commitment, depositor, expiresAt, signature: [...signature] },
          signal,
        });
        if (data !== undefined && 'admissible' in data)
          throw new Error('the relayer has answered a dry run');
        return data === undefined ? { error, response } : { data, response };
      },
    };
  }

  async #endPosting(code: string): Promise<void> {
    await this.#journal.write(withLastConsent(this.#entry, { ended: code }));
  }

  async #refused(baseUrl: string, error: JourneyError): Promise<void> {
    if (error.code === 'DEPOSIT_ALLOWANCE_TOO_LOW') return this.#awaitAllowance(error);
    // If a relayer rejected the signature, it may accept a new signature.
    const isMended = NEEDS_CONSENT.has(error.code);
    this.#choice.refused(baseUrl, isMended ? { ...error, retry: 'new-proof' } : error);
    // Only this relayer is dismissed for the revert that it reports. A second relayer may succeed
    // with the same consent.
    if (error.code === 'TRANSACTION_REVERTED') this.#choice.dismiss(baseUrl);
    if (HOPELESS.has(error.code)) await this.#fail(error);
  }

  /**
   * Handles a relayer's report that the allowance is too low. The chain decides: an approval may be
   * in flight, the relayer's node may be behind, or the allowance was used up.
   */
  async #awaitAllowance(error: JourneyError): Promise<void> {
    const { amount, approval: known } = this.#entry;
    const standing = await this.#means.approvals.check(BigInt(amount), this.#signal);
    const isRecent = known !== null && Date.now() - known.askedAtMs < APPROVAL_MS;
    if (isRecent || standing.kind === 'pending' || standing.kind === 'unreadable') {
      const transactionHash = known?.transactionHash ?? null;
      this.#report(
        isRecent ? { type: 'approval-pending', transactionHash } : { type: 'waiting', error },
      );
      await this.#pauses.pause();
    }
    // The chain contradicts this relayer: another relayer may accept the same consent.
    else if (standing.kind === 'sufficient')
      this.#choice.refused(error.relayer ?? '', { ...error, retry: 'never' });
    else if (this.#approval.hasRequestLeft) await this.#write({ approval: null });
    else await this.#fail(error);
  }

  /** Waits until the pool's events confirm the deposit that a relayer reported. */
  async #untilSeen(baseUrl: string): Promise<void> {
    const sinceMs = Date.now();
    for (;;) {
      const place = await this.#place();
      if (place !== undefined) return this.#deposited(place);
      if (Date.now() - sinceMs >= MEMPOOL_LIFETIME_MS) {
        this.#choice.dismiss(baseUrl);
        this.#choice.lastRefusal = ownError('DEPOSIT_NOT_SEEN', { relayer: baseUrl });
        // The relayer still has the consent and may still send the deposit.
        return this.#endPosting(RELAYER_SILENT);
      }
      this.#report({ type: 'unknown', error: ownError('DEPOSIT_NOT_SEEN', { relayer: baseUrl }) });
      await this.#pauses.pause();
    }
  }

  // Steps before a relayer is contacted.

  async #prepare(): Promise<void> {
    const place = await this.#place();
    if (place !== undefined) return this.#deposited(place);
    if (this.#entry.approval === null && this.#isAdmissible && !(await this.#approve())) return;
    const { pool } = this.#means;
    const asked = await this.#choice.ask({
      chainId: pool.chainId,
      pool: pool.address,
      operation: 'deposit',
      signal: this.#signal,
    });
    const [chosen] = asked.usable;
    if (chosen === undefined) return this.#withoutRelayer(asked);
    await (this.#entry.approval === null ? this.#checkFirst(chosen) : this.#consent(chosen));
  }

  /** Lets the relayer check the deposit once in this run, before an approval is requested. */
  async #checkFirst({ relayer }: UsableRelayer): Promise<void> {
    const seconds = CONSENT_SECONDS;
    const error = await rejectionBeforeApproval(relayer, this.#entry, seconds, this.#signal);
    if (error !== undefined) return this.#refused(relayer.baseUrl, error);
    this.#isAdmissible = true;
  }

  /** @returns false if the deposit has no approval yet, or has failed */
  async #approve(): Promise<boolean> {
    const progress = await this.#approval.take(this.#entry, async () => {
      await this.#write({ isApproved: 'unknown' });
      this.#report({ type: 'approving', transactionHash: null });
    });
    switch (progress.kind) {
      case 'approved': {
        const { transactionHash } = progress.approval;
        await this.#write({ approval: progress.approval });
        this.#pauses.reset();
        if (transactionHash !== null) this.#report({ type: 'approving', transactionHash });
        return true;
      }
      case 'wait':
        this.#report(progress.event);
        await this.#pauses.pause();
        return false;
      case 'failed':
        await this.#fail(progress.error);
        return false;
    }
  }

  async #consent({ relayer: { baseUrl } }: UsableRelayer): Promise<void> {
    const { postings } = this.#entry;
    const last = postings.at(-1);
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const isGood =
      last !== undefined &&
      last.expiresAt - nowSeconds >= LEAST_CONSENT_SECONDS &&
      !NEEDS_CONSENT.has(last.ended ?? '');
    const consent = isGood ? last : await this.#sign(nowSeconds + CONSENT_SECONDS);
    if (consent === undefined) return;
    const { expiresAt, signature } = consent;
    const pending = postings.filter(mayHaveLanded);
    const posting = { ...NOT_SENT, baseUrl, expiresAt, signature, ended: null };
    await this.#write({ postings: [...pending, posting] });
  }

  async #sign(
    expiresAt: number,
  ): Promise<Pick<PostedConsent, 'expiresAt' | 'signature'> | undefined> {
    const { chainId, pool, token, amount, commitment } = this.#entry;
    this.#report({ type: 'signing' });
    const typedData = depositConsentTypedData({
      chainId,
      pool,
      token,
      amount: BigInt(amount),
      commitment: BigInt(commitment),
      expiresAt,
    });
    const answer = await askAccount(this.#signal, async () =>
      feltsOf(await this.#means.account.signMessage(typedData)),
    );
    if (answer.kind === 'answered') return { expiresAt, signature: answer.value };
    // A signature that was made and lost has no effect: no relayer has received it.
    await this.#fail(
      answer.kind === 'silent'
        ? ownError('ACCOUNT_SILENT')
        : ownError('SIGNING_REFUSED', { cause: answer.cause }),
    );
    return undefined;
  }

  async #withoutRelayer(asked: RelayersAsked): Promise<void> {
    const error = this.#choice.whyNone(asked);
    if (this.#choice.isExhausted) return this.#fail(error);
    const type = this.#entry.postings.some(mayHaveLanded) ? 'unknown' : 'waiting';
    this.#report({ type, error });
    await this.#pauses.pause();
  }

  // Reads of the chain, and the final states of a deposit.

  async #place(): Promise<Place | undefined> {
    return untilRead(() => this.#placeNow(this.#signal), {
      signal: this.#signal,
      pauses: this.#pauses,
      onFailure: (error) => {
        const isPending = this.#entry.postings.some(mayHaveLanded);
        this.#report({ type: isPending ? 'unknown' : 'waiting', error });
      },
    });
  }

  async #placeNow(signal: AbortSignal): Promise<Place | undefined> {
    await this.#means.pool.refresh(signal);
    return this.#means.pool.placeOf(BigInt(this.#entry.commitment));
  }

  async #deposited({ leafIndex }: Place): Promise<void> {
    const { approval } = this.#entry;
    if (approval !== null) await this.#means.approvals.collected(approval.askedAtMs);
    await this.#write({ state: 'deposited', leafIndex, postings: [], error: null });
  }

  /**
   * Ends the deposit as failed. A relayer that does not respond may use a consent until it expires.
   * So this method first waits until no consent can be used any more.
   */
  async #fail({ cause, ...error }: JourneyError): Promise<void> {
    const { postings } = this.#entry;
    const pending = postings.filter(mayHaveLanded);
    const lastMs = Math.max(0, ...pending.map(({ expiresAt }) => expiresAt * 1_000));
    while (postings.length > 0) {
      const place = await this.#place();
      if (place !== undefined) return this.#deposited(place);
      if (lastMs === 0 || Date.now() >= lastMs + MEMPOOL_LIFETIME_MS) break;
      this.#report({ type: 'unknown', error: { ...error, cause } });
      await this.#pauses.pause();
    }
    const isApproved =
      (await answerWithin(SHOWN_TIMEOUT_MS, this.#signal, (signal) =>
        this.#means.approvals.shown(signal),
      )) ?? 'unknown';
    await this.#write({ state: 'failed', postings: [], error, isApproved });
    this.#report({ type: 'failed', error: { ...error, cause }, isApproved });
  }

  async #write(change: Partial<DepositEntry>): Promise<void> {
    await this.#journal.write({ ...this.#entry, ...change });
  }
}
