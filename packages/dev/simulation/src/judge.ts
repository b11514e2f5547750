import type { Felt } from '@sotto/kernel';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { CONTRACTS, type Block, type Chain, type Inclusion } from './chain/chain.js';
import { nameOf } from './chain/network.js';
import type { Tx } from './chain/transaction.js';
import type { Violation } from './story.js';

/** An attempt as its request and the answer to it make it known. */
export interface KnownAttempt {
  readonly id: string;
  readonly key: string;
  readonly serial: number;
  readonly isProtected: boolean;
  readonly acceptedAtMs: number;
  /** Its ledger is lost: what it knew counts no more. */
  isForgotten: boolean;
}

type NewAttempt = Omit<KnownAttempt, 'isForgotten' | 'acceptedAtMs'>;

/** One answer that a caller received. */
export interface ReportedAnswer {
  readonly atMs: number;
  readonly attempt: KnownAttempt;
  readonly kind: 'SUCCEEDED' | 'REVERTED' | 'rejected';
  readonly hash: Felt | null;
  readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1' | null;
}

export interface JudgeOptions {
  readonly nowMs: () => number;
  /** This provider's refusals prove nothing: an answer that rests on one may be untrue. */
  readonly refusalsLie: boolean;
  /** How long a block that is accepted now may stay unseen by a replica. */
  readonly sightLagMs: () => number;
  /** Rules that are known to be broken, and are not what is looked for. */
  readonly tolerated?: ReadonlySet<string>;
}

/**
 * An older copy of a ledger was put in its place, and nothing of what the lost one had in flight
 * had landed: then nothing shows that the copy is behind, until the first of it lands or all of it
 * is too old to. What the copy does with the same keys meanwhile can't be helped.
 */
interface WithoutEvidence {
  /** What the lost ledger had sent and the copy does not know. */
  readonly lost: ReadonlySet<Felt>;
  /** Attempts that wait or are in flight as the copy has them. */
  readonly live: ReadonlySet<string>;
  /** When the first process began to work with the copy. */
  startedAtMs: number;
  /**
   * When the first of it was in an accepted block that every replica shows and that stands, or all
   * of it had aged; until then infinite.
   */
  endedAtMs: number;
  /** Nothing of it can land any more. */
  isAged: boolean;
}

/**
 * Compares callers' answers with the chain. Knows the network's truth, and nothing of the engine.
 */
export class Judge {
  readonly violations: Violation[] = [];
  readonly answers: ReportedAnswer[] = [];
  readonly attempts = new Map<string, KnownAttempt>();
  readonly acknowledged = new Set<string>();
  readonly #bySerial = new Map<number, KnownAttempt>();
  /** Calls that a newer one has taken the place of. */
  readonly #replaced = new Set<number>();
  /**
   * Adopted transactions: a request that a restored copy sent again has two attempts, and each its
   * own transaction.
   */
  readonly #byHash = new Map<Felt, KnownAttempt>();
  /** Outcomes that some block showed, accepted or pre-confirmed: `hash execution`. */
  readonly #accepted = new Set<string>();
  readonly #shown = new Set<string>();
  #backedUp: ReadonlySet<string> = new Set();
  #withoutEvidence: WithoutEvidence | null = null;
  rollbacks = 0;
  losses = 0;

  constructor(
    private readonly chain: Chain,
    private readonly options: JudgeOptions,
  ) {}

  broken(rule: string, detail: string): void {
    if (this.options.tolerated?.has(rule) === true) return;
    this.violations.push({ rule, detail, atMs: this.options.nowMs() });
  }

  /** A request was taken in. */
  requested(attempt: NewAttempt): void {
    this.#bySerial.set(attempt.serial, this.#known(attempt));
  }

  /** A newer call has taken the place of the attempt's own. */
  renewed(id: string, serial: number): void {
    const attempt = this.attempts.get(id);
    if (attempt === undefined)
      return this.broken('a newer call is for an attempt that was requested', id);
    for (const older of this.serialsOf(attempt)) this.#replaced.add(older);
    this.#bySerial.set(serial, attempt);
  }

  /** Of a call that a newer one has taken the place of. */
  isReplaced(fingerprint: string | null): boolean {
    return this.#replaced.has(Number(fingerprint?.split('.')[1] ?? -1));
  }

  /** All numbers of requests whose calls the attempt has had. */
  serialsOf(attempt: KnownAttempt): readonly number[] {
    return [...this.#bySerial].filter(([, of]) => of === attempt).map(([serial]) => serial);
  }

  /** A transaction of a lost ledger was adopted: from now on its outcome is this attempt's. */
  adopted(attempt: NewAttempt, hash: Felt): void {
    this.#byHash.set(hash, this.#known(attempt));
  }

  #known(attempt: NewAttempt): KnownAttempt {
    const known = this.attempts.get(attempt.id) ?? {
      ...attempt,
      acceptedAtMs: this.options.nowMs(),
      isForgotten: false,
    };
    this.attempts.set(attempt.id, known);
    return known;
  }

  attemptOf({ hash, call }: Tx): KnownAttempt | null {
    return this.#byHash.get(hash) ?? this.#bySerial.get(call?.serial ?? -1) ?? null;
  }

  /**
   * The ledger is another one from now on.
   * @param inFlight what the lost one had sent and the present one does not know
   * @param live attempts that wait or are in flight as the present one has them
   */
  lost(by: 'empty' | 'copy', inFlight: ReadonlySet<Felt>, live: ReadonlySet<string>): void {
    this.losses += 1;
    const hasLanded = this.included().some(({ tx }) => inFlight.has(tx.hash));
    const endedAtMs = hasLanded ? this.options.nowMs() : Infinity;
    this.#withoutEvidence =
      by === 'empty'
        ? null
        : { lost: inFlight, live, startedAtMs: Infinity, endedAtMs, isAged: false };
    for (const attempt of this.attempts.values())
      attempt.isForgotten = by === 'empty' || !this.#backedUp.has(attempt.id);
    // Answers of the lost ledger bind no other ledger.
    this.answers.length = 0;
  }

  /**
   * Nothing that the lost ledger had sent can land any more, unless some of it has. Returns what is
   * too old; empty when some has landed.
   */
  aged(): ReadonlySet<Felt> {
    const residue = this.#withoutEvidence;
    if (residue === null || residue.endedAtMs !== Infinity) return new Set();
    residue.endedAtMs = this.options.nowMs();
    residue.isAged = true;
    return residue.lost;
  }

  backUp(): void {
    this.#backedUp = new Set(this.attempts.keys());
  }

  /** A process begins to work. */
  started(): void {
    const residue = this.#withoutEvidence;
    if (residue !== null) residue.startedAtMs = Math.min(residue.startedAtMs, this.options.nowMs());
  }

  /**
   * The residue of a restored copy, and nothing more: `tx` was in flight when its ledger was lost,
   * and the copy dealt with the same key before anything showed that, for a request that it took in
   * then, or that it had in hand already.
   */
  isResidue({ hash, call }: Tx): boolean {
    const residue = this.#withoutEvidence;
    if (
      residue === null ||
      call === null ||
      !residue.lost.has(hash) ||
      residue.endedAtMs <= residue.startedAtMs
    )
      return false;
    const { live, startedAtMs, endedAtMs } = residue;
    return [...this.attempts.values()].some(
      ({ id, key, acceptedAtMs }) =>
        key === `K${call.key}` &&
        (live.has(id) || (acceptedAtMs >= startedAtMs && acceptedAtMs < endedAtMs)),
    );
  }

  /** One of two was in flight when a copy was restored, and the other one is the copy's. */
  #isResidueOf(a: Inclusion, b: Inclusion): boolean {
    return this.isResidue(a.tx) !== this.isResidue(b.tx);
  }

  preConfirmed(inclusions: readonly Inclusion[]): void {
    for (const { tx, execution } of inclusions) this.#shown.add(`${tx.hash} ${execution}`);
  }

  closed({ inclusions }: Block): void {
    this.preConfirmed(inclusions);
    const residue = this.#withoutEvidence;
    for (const { tx, execution } of inclusions) {
      this.#accepted.add(`${tx.hash} ${execution}`);
      if (residue?.lost.has(tx.hash) !== true) continue;
      residue.endedAtMs = Math.min(
        residue.endedAtMs,
        this.options.nowMs() + this.options.sightLagMs(),
      );
    }
    if (inclusions.length > 0) this.#judgeChain();
  }

  rolledBack(): void {
    this.rollbacks += 1;
    const residue = this.#withoutEvidence;
    if (
      residue === null ||
      residue.isAged ||
      this.included().some(({ tx }) => residue.lost.has(tx.hash))
    )
      return;
    // What had shown that the copy is behind is undone.
    residue.endedAtMs = Infinity;
  }

  /** All that is on the chain now, oldest first. */
  included(): Inclusion[] {
    return this.chain.blocks.flatMap(({ inclusions }) => inclusions);
  }

  /** Some caller was answered a pre-confirmed outcome that is gone now. */
  hasReported(inclusions: readonly Inclusion[]): boolean {
    return this.answers.some(
      ({ hash, finality }) =>
        finality === 'PRE_CONFIRMED' && inclusions.some(({ tx }) => tx.hash === hash),
    );
  }

  answered(id: string, answer: SubmissionAnswer): ReportedAnswer | null {
    const attempt = this.attempts.get(id);
    if (attempt === undefined) {
      this.broken('an answer is about an attempt that was requested', `${id} was never requested`);
      return null;
    }
    if (answer.kind === 'pending') return null;
    const atMs = this.options.nowMs();
    if (answer.kind === 'rejected') {
      const end: ReportedAnswer = { atMs, attempt, kind: 'rejected', hash: null, finality: null };
      this.answers.push(end);
      this.#judgeEnd(end, this.included());
      return end;
    }
    const { execution, transactionHash, finality } = answer;
    const outcome: ReportedAnswer = {
      atMs,
      attempt,
      kind: execution,
      hash: transactionHash,
      finality,
    };
    this.answers.push(outcome);
    this.#judgeOutcome(outcome);
    return outcome;
  }

  #judgeOutcome({ attempt, kind, hash, finality }: ReportedAnswer): void {
    const what = `${attempt.id} (${attempt.key}) was answered ${kind} by ${hash} at ${finality}`;
    const outcome = `${hash} ${kind}`;
    if (!this.#shown.has(outcome)) this.broken('an outcome that is reported was in a block', what);
    else if (finality !== 'PRE_CONFIRMED' && !this.#accepted.has(outcome))
      this.broken('an outcome that is reported as accepted was in an accepted block', what);
    const inclusion = this.included().find(({ tx }) => tx.hash === hash);
    if (
      inclusion !== undefined &&
      this.attemptOf(inclusion.tx) !== attempt &&
      !attempt.isForgotten
    ) {
      this.broken('a caller hears its own outcome', `${what}, which is ${nameOf(inclusion.tx)}`);
    }
    if (finality === 'ACCEPTED_ON_L1' && inclusion?.execution !== kind)
      this.broken('an outcome that is reported as final is on the chain', what);
  }

  /** An answered end is final: nothing of the attempt may be on the chain, now or later. */
  #judgeEnd({ attempt }: ReportedAnswer, included: readonly Inclusion[]): void {
    if (
      this.options.refusalsLie ||
      attempt.isForgotten ||
      (attempt.isProtected && this.rollbacks > 0)
    )
      return;
    const inclusion = included.find(
      ({ tx }) => this.#bySerial.get(tx.call?.serial ?? -1) === attempt,
    );
    if (inclusion === undefined || this.isResidue(inclusion.tx)) return;
    this.broken(
      'nothing lands of what was reported as ended',
      `${attempt.id} (${attempt.key}) had ended, and ${nameOf(inclusion.tx)} ${inclusion.execution}`,
    );
  }

  #judgeChain(): void {
    const included = this.included();
    const paid = new Map<string, Inclusion>();
    const bySerial = new Map<number, Inclusion>();
    for (const inclusion of included) {
      const { call } = inclusion.tx;
      if (call === null) continue;
      // A lost ledger's newer calls are lost with it.
      if (this.#replaced.has(call.serial) && this.losses === 0)
        this.broken('a call that was replaced never lands', nameOf(inclusion.tx));
      const key = `${call.to} ${call.key}`;
      const before = paid.get(key);
      if (inclusion.execution === 'SUCCEEDED') {
        if (
          before !== undefined &&
          !this.options.refusalsLie &&
          !this.#isResidueOf(before, inclusion)
        )
          this.broken(
            'a key is paid once',
            `K${call.key}: ${nameOf(before.tx)} and ${nameOf(inclusion.tx)}`,
          );
        paid.set(key, inclusion);
      }
      const same = bySerial.get(call.serial);
      const isAllowed =
        call.to === CONTRACTS.withNullifiers && (this.rollbacks > 0 || this.losses > 0);
      if (
        same !== undefined &&
        !isAllowed &&
        !this.options.refusalsLie &&
        !this.#isResidueOf(same, inclusion)
      ) {
        this.broken(
          'an attempt is included once',
          `${nameOf(same.tx)} and ${nameOf(inclusion.tx)}`,
        );
      }
      bySerial.set(call.serial, inclusion);
    }
    for (const answer of this.answers)
      if (answer.kind === 'rejected') this.#judgeEnd(answer, included);
  }
}
