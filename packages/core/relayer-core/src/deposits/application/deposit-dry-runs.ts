import {
  UNNAMED_CALLER,
  settle,
  tryCatch,
  type Caller,
  type DomainError,
  type Felt,
  type Felts,
} from '@sotto/kernel';
import { QueueFull, SimulationReverted, simulationReverted } from '@sotto/submission-core';
import {
  commitmentRejection,
  depositCalldata,
  depositorRejection,
  expiryRejection,
  signatureRejection,
  type DepositTerms,
} from '../../pools/domain/deposit.js';
import { servedPool, type ServedPool } from '../../pools/domain/pool.js';
import {
  DepositExists,
  DepositExpired,
  DepositInProgress,
  DepositQueued,
  DepositSignatureInvalid,
  DepositSignatureUnchecked,
  DepositorTooSlow,
  DepositsRationed,
} from '../../deposit-errors.js';
import { CommitmentInvalid, PoolNotSupported } from '../../errors.js';
import type { CheckReport } from '../../withdrawals/application/admission-checks.js';
import type { DryRunReport } from '../../withdrawals/application/submit-withdrawal.js';
import type {
  AdmissionPorts,
  DepositAdmission,
  DepositPolicy,
  DepositRequest,
} from './deposit-admission.js';
import { ALLOWANCE } from './deposit-checks.js';
import type { ReadDeposit } from './deposit-funds.js';
import { DryRunBounds } from './dry-run-bounds.js';

export interface DepositDryRunInput extends Omit<DepositTerms, 'signature'> {
  readonly poolAddress: Felt;
  /** @default none: the check of the signature is skipped */
  readonly signature?: Felts | undefined;
  /** @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

const ROLE = 'relay';
/** Detail of the skipped signature check of a dry run without a signature. */
const NO_SIGNATURE = 'SIGNATURE_MISSING';
/** Errors of the signature check that concern the request, and not the state of the service. */
const OF_ACCOUNT = [
  DepositSignatureInvalid,
  DepositSignatureUnchecked,
  DepositorTooSlow,
  DepositsRationed,
];

/** Runs the checks of deposits without sending or reserving anything, and reports each check. */
export class DepositDryRuns {
  readonly #bounds: DryRunBounds;

  constructor(
    private readonly admission: DepositAdmission,
    private readonly ports: Pick<AdmissionPorts, 'submissions' | 'clock'>,
    private readonly policy: Pick<DepositPolicy, 'pools' | 'rations'>,
  ) {
    this.#bounds = new DryRunBounds(ports.clock, policy.rations.perNetwork);
  }

  /**
   * @throws DepositsRationed if the caller has named too many depositors within an hour;
   *   Overloaded; an error of the ledger
   */
  async run({
    poolAddress,
    caller = UNNAMED_CALLER,
    signature: given,
    ...terms
  }: DepositDryRunInput): Promise<DryRunReport> {
    const { commitment, depositor, expiresAtMs } = terms;
    const signature = given ?? null;
    const report = new Report(this.admission.checks.all);
    const served = tryCatch(() => servedPool(this.policy.pools, poolAddress));
    report.judge('pool_served', served.known ? null : served.failure);
    report.judge('commitment', commitmentRejection(commitment));
    report.judge('expiry', expiryRejection(expiresAtMs, this.ports.clock.nowMs()));
    report.fail('depositor_deployed', depositorRejection(depositor));
    report.fail('signature', signature === null ? null : signatureRejection(signature));
    if (served.known && !report.hasFailed('commitment', 'depositor_deployed'))
      await this.#bounds.run(caller, depositor, async () =>
        this.#read(report, served.value, { ...terms, signature }, caller),
      );
    return report.result();
  }

  async #read(
    report: Report,
    served: ServedPool,
    terms: DepositRequest<Felts | null>['terms'],
    caller: Caller,
  ): Promise<void> {
    const request = this.admission.request<Felts | null>(served, terms, caller);
    const standing = await settle(this.admission.standing(request));
    if (!standing.known && !isOneOf([DepositInProgress, DepositExists], standing.failure))
      throw standing.failure;
    report.judge('not_in_ledger', standing.known ? null : standing.failure);
    report.judge('queue', await this.ports.submissions.checkQueueCapacity(ROLE));
    const read = await settle(this.admission.read(request));
    if (!read.known) return report.skipOpen(read.failure.code);
    const evidence = await this.admission.evidence(request, read.value);
    const judged = this.admission.checks.with(evidence);
    for (const check of this.admission.checks.all) {
      const rejection = await settle(Promise.resolve(check.judge(judged)));
      if (rejection.known) report.judge(check.name, rejection.value);
      else report.skip(check.name, rejection.failure.code);
    }
    await this.#checkSignature(report, request, read.value);
    const room = await settle(this.admission.roomRejection(evidence));
    if (room.known) report.judge('roots', room.value);
    else report.skip('roots', room.failure.code);
    const cause = report.firstFailure();
    // A simulation without an allowance would only repeat the failure.
    if (cause !== null) return report.skipOpen(cause);
    const simulation = await settle(this.admission.simulate(request, depositCalldata(terms)));
    if (!simulation.known) return report.skip('simulation', simulation.failure.code);
    const { value } = simulation;
    report.judge('simulation', value.ok ? null : simulationReverted(value.reason));
  }

  /**
   * Checks the signature with the depositor's account. An account without the pool's denomination
   * is not called, as for a deposit. A missing allowance does not prevent the call.
   */
  async #checkSignature(
    report: Report,
    request: DepositRequest<Felts | null>,
    read: ReadDeposit,
  ): Promise<void> {
    const { terms, caller } = request;
    const { signature } = terms;
    if (report.hasFailed('signature')) return;
    if (signature === null) return report.skip('signature', NO_SIGNATURE);
    const cause = report.firstFailure((name) => name !== ALLOWANCE);
    if (cause !== null) return report.skip('signature', cause);
    const signed: DepositRequest = { ...request, terms: { ...terms, signature } };
    const isGiven = async (): Promise<boolean> =>
      this.admission.isConsentGiven(signed, read, async () => {
        const evidence = await this.admission.evidence(request, read);
        const rejection = await this.admission.checks.rejection(
          evidence,
          (name) => name !== ALLOWANCE,
        );
        if (rejection !== null) throw rejection;
      });
    const { depositorClass } = read.facts;
    const isTrusted = depositorClass !== null && this.admission.isKnown(depositorClass);
    const given = await settle(isTrusted ? isGiven() : this.#bounds.callAccount(caller, isGiven));
    if (given.known) report.judge('signature', given.value ? null : new DepositSignatureInvalid());
    else if (isOneOf(OF_ACCOUNT, given.failure)) report.judge('signature', given.failure);
    else report.skip('signature', given.failure.code);
  }
}

type CheckName = Pick<CheckReport, 'check' | 'code'>;

/** Collects the results of the checks of one dry run. */
class Report {
  readonly #checks: readonly CheckName[];
  readonly #results = new Map<string, Omit<CheckReport, 'check' | 'code'>>();
  readonly #failures = new Map<string, DomainError>();

  constructor(checks: readonly { readonly name: string; readonly code: string }[]) {
    this.#checks = [
      { check: 'pool_served', code: PoolNotSupported.code },
      { check: 'commitment', code: CommitmentInvalid.code },
      { check: 'not_in_ledger', code: DepositInProgress.code },
      { check: 'expiry', code: DepositExpired.code },
      { check: 'queue', code: QueueFull.code },
      ...checks.map(({ name, code }) => ({ check: name, code })),
      { check: 'signature', code: DepositSignatureInvalid.code },
      { check: 'roots', code: DepositQueued.code },
      { check: 'simulation', code: SimulationReverted.code },
    ];
  }

  /** Records the result of a check. A check that has failed remains failed. */
  judge(check: string, rejection: DomainError | null): void {
    if (rejection === null && !this.#failures.has(check))
      this.#results.set(check, { status: 'passed' });
    this.fail(check, rejection);
  }

  /** Records a failure; null is no result. */
  fail(check: string, rejection: DomainError | null): void {
    if (rejection === null || this.#failures.has(check)) return;
    this.#failures.set(check, rejection);
    const { message: detail, details, retryAfterSeconds } = rejection;
    this.#results.set(check, {
      status: 'failed',
      detail,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }

  skip(check: string, detail: string): void {
    this.#results.set(check, { status: 'skipped', detail });
  }

  /** Skips every check without a result. */
  skipOpen(detail: string): void {
    for (const { check } of this.#checks) if (!this.#results.has(check)) this.skip(check, detail);
  }

  hasFailed(...checks: readonly string[]): boolean {
    return checks.some((check) => this.#failures.has(check));
  }

  /** Returns the code of the first failed check; null if no check has failed. */
  firstFailure(isCounted: (check: string) => boolean = () => true): string | null {
    const failed = this.#checks.find(
      ({ check }) => isCounted(check) && this.#failures.has(check),
    )?.check;
    return failed === undefined ? null : (this.#failures.get(failed)?.code ?? null);
  }

  result(): DryRunReport {
    const first = this.firstFailure();
    const detail = first === null ? {} : { detail: first };
    const checks = this.#checks.map(({ check, code }): CheckReport => ({
      check,
      code: this.#failures.get(check)?.code ?? code,
      ...(this.#results.get(check) ?? { status: 'skipped', ...detail }),
    }));
    return { admissible: checks.every(({ status }) => status === 'passed'), checks };
  }
}

function isOneOf(
  classes: readonly { readonly code: string }[],
  { code }: Pick<DomainError, 'code'>,
): boolean {
  return classes.some((each) => each.code === code);
}
