import { DomainError, type Felt } from '@sotto/kernel';
import {
  LedgerUnavailable,
  type Attempt,
  type CommandResult,
  type SubmissionCommand,
  type TransactionSigner,
} from '@sotto/submission-core';
import type { CallObserver } from './calls.js';
import { CONTRACTS, type Block, type Inclusion } from './chain/chain.js';
import { nameOf, type ChainWatcher } from './chain/network.js';
import { decoded, type Tx } from './chain/transaction.js';
import { described } from './described.js';
import type { Judge } from './judge.js';
import { LastBlocks, nameOfAttempt } from './last-blocks.js';
import { slotOf, type Loss } from './lost-ledger.js';
import type { OsProcess } from './os-process.js';
import { whenRejected, type Situations } from './situations.js';
import type { Story } from './story.js';
import type { CallFault } from './weather.js';

/** Transaction, as the ledger's writes describe it. */
interface Written {
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly kind: 'call' | 'noop';
  readonly purpose: 'call' | 'replacement' | 'against' | 'hole' | 'quarantine';
  /** Name of the attempt whose call the transaction carries; null for a no-op. */
  readonly attempt: string | null;
  readonly bytes: Uint8Array;
  claims: number;
  sends: number;
  isLost: boolean;
  isRefused: boolean;
  /** Nodes of claims whose sends have not begun yet. */
  claimedAt: readonly string[];
  /** Nodes of all claims of this transaction. */
  nodes: ReadonlySet<string>;
  refusedBy: string | null;
}

/** Code with which the domain rejects a call that it no longer wants. */
export const NO_LONGER_WANTED = 'NO_LONGER_WANTED';
/**
 * Maximum number of calls of one kind by one process per second. A poll of three lanes makes about
 * fifty.
 */
const MOST_CALLS = 400;
const ACCOUNT_CODES: ReadonlySet<string> = new Set(['VALIDATION_FAILURE', 'NOT_AN_ACCOUNT']);

export interface TapsParts {
  readonly judge: Judge;
  readonly story: Story;
  readonly situations: Situations;
  readonly isBroken: (account: Felt) => boolean;
  /**
   * Called when rows have just changed. The process may be polling at this time, so its next reads
   * are made slow.
   */
  readonly aim: (process: OsProcess, isReplacement: boolean) => void;
}

/**
 * Observer of every call and every block. The observer records situations, and compares sent
 * transactions with the stored ones.
 */
export class Taps implements CallObserver, ChainWatcher {
  /** Ids of calls that had a fault. */
  readonly faultyCalls: string[] = [];
  readonly counts = { requests: 0, inclusions: 0, crashes: 0, sends: 0, looks: 0 };
  /**
   * Nonces, as `lane/nonce`, that were settled by a transaction which the ledger had considered
   * rejected for certain. If a nonce is reopened, it is removed from the set.
   */
  readonly disproved = new Set<string>();
  #written = new Map<Felt, Written>();
  #backedUp: readonly (readonly [Felt, Written])[] = [];
  /** Name of the process that leased each lane last. */
  readonly #holders = new Map<Felt, string>();
  readonly #quarantined = new Set<Felt>();
  /** Nonces that were reopened, as `lane/nonce`. */
  readonly #reopened = new Set<string>();
  /**
   * Nonces with a final outcome, as `lane/nonce`. `#undoneFinal` contains the nonces that were
   * reopened after their final outcome.
   */
  readonly #final = new Set<string>();
  readonly #undoneFinal = new Set<string>();
  readonly #evicted = new Set<Felt>();
  readonly #looking = new Map<string, number>();
  readonly #blamed = new Map<string, { readonly byBroken: number; readonly byOthers: number }>();
  readonly #outcomes = new Map<Felt, string>();
  readonly #callsOf = new Map<string, { readonly second: number; count: number }>();
  #sending = 0;

  readonly lastBlocks: LastBlocks;

  constructor(private readonly deps: TapsParts) {
    this.lastBlocks = new LastBlocks(deps.judge, deps.situations);
  }

  /**
   * Records the loss of the ledger. `unknown` contains the old ledger's transactions that the new
   * ledger does not know. The set also contains transactions that the old ledger had sent again and
   * that the new ledger considers rejected. `given` contains the nonces that the new ledger has
   * assigned.
   */
  ledgerLost(by: 'empty' | 'copy'): Pick<Loss, 'unknown' | 'given'> {
    const before = [...this.#written];
    const kept = by === 'empty' ? [] : this.#backedUp;
    this.#written = new Map(kept.map(([hash, written]) => [hash, { ...written }]));
    this.#holders.clear();
    this.disproved.clear();
    this.#final.clear();
    this.#undoneFinal.clear();
    const unknown = before.filter(([hash, { isRefused }]) => {
      const known = this.#written.get(hash);
      return known === undefined || (known.isRefused && !isRefused);
    });
    const given = [...this.#written.values()].map(({ lane, nonce }) =>
      slotOf({ account: lane, nonce }),
    );
    return { unknown: new Set(unknown.map(([hash]) => hash)), given: new Set(given) };
  }

  backUp(): void {
    this.#backedUp = [...this.#written].map(([hash, written]) => [hash, { ...written }]);
  }

  /** Returns true if the ledger considers the rejection of this transaction conclusive. */
  wasRefused(hash: Felt): boolean {
    return this.#written.get(hash)?.isRefused === true;
  }

  evicted(tx: Tx): void {
    this.#evicted.add(tx.hash);
  }

  called(process: OsProcess, name: string, args: readonly unknown[]): void {
    this.#count(process, name);
    if (name === 'broadcaster.send') this.#sending += 1;
    if (name === 'reader.transactionStatuses') this.#poll(process, 1);
    if (name === 'broadcaster.send') this.#called(process, args);
    // CAST: types of the ports, seen from outside.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (name === 'signer.signCall') this.#signs(process, args as never);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (name === 'ledger.apply') this.#claims(process, args[0] as SubmissionCommand);
  }

  answered(process: OsProcess, name: string, args: readonly unknown[], answer: unknown): void {
    if (process.isDead) this.deps.situations.saw('a late answer after its process was gone');
    if (name === 'reader.transactionStatuses') this.#poll(process, -1);
    if (name === 'ledger.lease' && answer !== null) this.#leased(answer, process);
    if (name === 'ledger.handOver' && answer === true) this.#handedOver(args, process);
    if (name === 'ledger.reserve' && Array.isArray(answer) && Array.isArray(args[0]))
      if (answer.length < args[0].length)
        this.deps.situations.saw('an attempt was reserved by another process');
    if (name === 'broadcaster.send') this.#sent(process, args, answer);
    if (name === 'ledger.apply')
      // CAST: types of the port, seen from outside; as below.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      this.#recorded(process, args[0] as SubmissionCommand, answer as CommandResult);
    if (name === 'ledger.pauseLane')
      this.deps.situations.saw('a lane was paused for a foreign transaction');
  }

  failed(process: OsProcess, name: string, args: readonly unknown[], error: unknown): void {
    this.deps.story.report(() => `${process.name}: ${name} fails: ${String(error)}`);
    if (!(error instanceof DomainError))
      this.deps.judge.broken('a port fails by a domain error', `${name}: ${String(error)}`);
    // On a real file, a concurrent reader may prevent a redaction. The next run of the redaction
    // task tries it again.
    if (!(error instanceof LedgerUnavailable) || name === 'ledger.redact') return;
    // CAST: only the ledger fails with this error, and its argument is a command.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const event = args[0] as SubmissionCommand | undefined;
    const why = error.cause instanceof Error ? error.cause.message : String(error.cause);
    this.deps.judge.broken(
      'the machine keeps within the constraints of its store',
      `${event?.type ?? name}: ${why}`,
    );
  }

  faulty(id: string, fault: CallFault, process: OsProcess): void {
    this.faultyCalls.push(id);
    if (fault === 'ledger fails after')
      this.deps.situations.saw('a write was applied though its answer was lost');
    this.deps.story.report(() => `${process.name}: ${id}: ${fault}`);
  }

  died(process: OsProcess): void {
    this.counts.crashes += 1;
    this.deps.situations.saw('a process died at a call');
    this.deps.story.report(() => `${process.name} is killed at a call`);
  }

  closed(block: Block): void {
    this.counts.inclusions += block.inclusions.length;
    if (block.inclusions.length > 0) {
      const what = (): string =>
        block.inclusions.map(({ tx, execution }) => `${nameOf(tx)} ${execution}`).join(', ');
      this.deps.story.report(() => `block ${block.number} (${block.hash}) is accepted: ${what()}`);
    }
    this.lastBlocks.closed(block.number);
    for (const inclusion of block.inclusions) {
      this.lastBlocks.included(inclusion, block.number);
      this.#included(inclusion);
    }
    this.deps.judge.closed(block);
  }

  preConfirmed(inclusions: readonly Inclusion[]): void {
    this.deps.judge.preConfirmed(inclusions);
  }

  rolledBack(undone: readonly Inclusion[]): void {
    if (this.#sending > 0) this.deps.situations.saw('a rollback happened during a send');
    this.deps.story.report(
      () =>
        `a rollback undoes ${undone.length === 0 ? 'empty blocks' : undone.map(({ tx }) => nameOf(tx)).join(', ')}`,
    );
    this.deps.judge.rolledBack();
  }

  l1Undone(undone: readonly Inclusion[]): void {
    this.deps.story.report(() => 'L1 is undone');
    this.deps.situations.saw('L1 was undone');
    this.deps.judge.l1Undone(undone);
  }

  vanished(dropped: readonly Inclusion[]): void {
    this.deps.story.report(
      () =>
        `the pre-confirmed block vanishes with ${dropped.map(({ tx }) => nameOf(tx)).join(', ')}`,
    );
    if (this.deps.judge.hasReported(dropped))
      this.deps.situations.saw('a pre-confirmed answer was undone');
  }

  happened(text: () => string): void {
    this.deps.story.report(text);
  }

  /** Counts the calls of a process per second, to detect a loop that never waits. */
  #count({ name, clock }: OsProcess, call: string): void {
    const second = Math.floor(clock.monotonicMs() / 1_000);
    const calls = this.#callsOf.get(name);
    if (calls === undefined || calls.second !== second)
      this.#callsOf.set(name, { second, count: 1 });
    else if ((calls.count += 1) === MOST_CALLS)
      this.deps.judge.broken(
        'no loop turns without a pause',
        `${name} makes ${MOST_CALLS} calls in a second, the last of them ${call}`,
      );
  }

  #poll(process: OsProcess, by: number): void {
    this.counts.looks += by > 0 ? 1 : 0;
    this.#looking.set(process.name, Math.max((this.#looking.get(process.name) ?? 0) + by, 0));
  }

  #leased(answer: unknown, process: OsProcess): void {
    // CAST: the non-null result of `Ledger.lease`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { address, fence } = answer as { readonly address: Felt; readonly fence: bigint };
    this.#holders.set(address, process.name);
    this.deps.story.report(() => `${process.name} leases ${address} with fence ${fence}`);
  }

  #handedOver([address, , , to]: readonly unknown[], process: OsProcess): void {
    for (const lane of this.#holders.keys()) if (lane === address) this.#holders.delete(lane);
    this.deps.situations.saw('a lane was handed over');
    this.deps.story.report(() => `${process.name} hands ${String(address)} over to ${String(to)}`);
  }

  #called(process: OsProcess, [bytes, node]: readonly unknown[]): void {
    const tx = decoded(bytesOf(bytes));
    this.counts.sends += 1;
    const written = this.#written.get(tx.hash);
    if (written === undefined || written.lane !== tx.account || written.nonce !== tx.nonce) {
      this.deps.judge.broken(
        'a sent transaction is stored in the ledger under its nonce',
        `${process.name} sends ${nameOf(tx)}`,
      );
      return;
    }
    written.sends += 1;
    if (this.#undoneFinal.has(`${tx.account}/${tx.nonce}`) && tx.call?.to === CONTRACTS.plain)
      this.deps.judge.broken(
        'no call that nothing protects is sent again after its final outcome was undone',
        `${process.name} sends ${nameOf(tx)}`,
      );
    this.#sentAsClaimed(process, tx, written, node);
    if (written.sends > written.claims)
      this.deps.judge.broken(
        'a claim is one send',
        `${nameOf(tx)} is sent ${written.sends} times with ${written.claims} claims`,
      );
  }

  #signs(process: OsProcess, [call, request]: Parameters<TransactionSigner['signCall']>): void {
    this.lastBlocks.signs(process, request.account, call);
  }

  #claims(process: OsProcess, event: SubmissionCommand): void {
    const written = event.type === 'claim' ? this.#written.get(event.hash) : undefined;
    if (written !== undefined) this.lastBlocks.sendsAgain(process, decoded(written.bytes));
  }

  #sentAsClaimed(process: OsProcess, tx: Tx, written: Written, node: unknown): void {
    const place = written.claimedAt.findIndex((claimed) => claimed === node);
    written.claimedAt = written.claimedAt.toSpliced(place, 1);
    if (place === -1)
      this.deps.judge.broken(
        'a send goes to the node that its claim names',
        `${process.name} sends ${nameOf(tx)} to ${String(node)}`,
      );
  }

  #sent(process: OsProcess, [bytes, node]: readonly unknown[], answer: unknown): void {
    this.#sending -= 1;
    const tx = decoded(bytesOf(bytes));
    // CAST: the result of `Broadcaster.send`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { kind, code } = answer as { readonly kind: string; readonly code?: string };
    this.deps.story.report(
      () =>
        `${process.name} sends ${nameOf(tx)} for ${tx.l2PriceFri} to ${String(node)}: ${kind} ${code ?? ''}`,
    );
    if (kind === 'refused') this.#refusedBy(tx, String(node));
    if (kind === 'refused' && tx.call !== null) this.#blame(tx, code ?? '');
    const holder = this.#holders.get(tx.account);
    if (holder !== undefined && holder !== process.name)
      this.deps.situations.saw('a stale holder sent');
  }

  #refusedBy({ hash }: Tx, node: string): void {
    const written = this.#written.get(hash);
    if (written !== undefined) written.refusedBy = node;
  }

  /** Counts the rejections of a call by broken accounts and by other accounts. */
  #blame(tx: Tx, code: string): void {
    const id = this.deps.judge.attemptOf(tx)?.id ?? '';
    const before = this.#blamed.get(id) ?? { byBroken: 0, byOthers: 0 };
    const isBroken = ACCOUNT_CODES.has(code) && this.deps.isBroken(tx.account);
    this.#blamed.set(id, {
      byBroken: before.byBroken + (isBroken ? 1 : 0),
      byOthers: before.byOthers + (isBroken ? 0 : 1),
    });
  }

  #recorded(process: OsProcess, event: SubmissionCommand, recorded: CommandResult): void {
    if (event.type !== 'observe' || recorded.applied) {
      this.deps.story.report(
        () =>
          `${process.name}: ${described(event)}${recorded.applied ? '' : ` stands back: ${recorded.because}`}`,
      );
    }
    if (recorded.applied) return this.#wrote(process, event, recorded);
    if (event.type === 'store' && this.deps.judge.isReplaced(event.fingerprint))
      this.deps.situations.saw('bytes of a call that was replaced were refused');
    for (const name of whenRejected(event, recorded.because)) this.deps.situations.saw(name);
  }

  #wrote(
    process: OsProcess,
    event: SubmissionCommand,
    { attempt, nonce }: Extract<CommandResult, { applied: true }>,
  ): void {
    const { situations, judge } = this.deps;
    switch (event.type) {
      case 'request':
        this.counts.requests += 1;
        if (attempt !== null) {
          const { id, key, replayProtected } = attempt;
          judge.requested({
            id,
            key,
            serial: Number(event.submission.calldata.at(1)),
            isProtected: replayProtected,
          });
          if (attempt.attempt > 1) situations.saw('a next attempt after a revert');
        }
        return;
      case 'end_waiting':
        if (event.code === NO_LONGER_WANTED) situations.saw('an attempt was no longer wanted');
        if (attempt !== null) {
          judge.ended(process.name, attempt.id);
          this.lastBlocks.ended(attempt, this.#mayLand(nameOfAttempt(attempt)));
        }
        return situations.saw('a waiting attempt ended');
      case 'store':
        judge.lostLedger.gave(slotOf({ account: event.lane, nonce: event.nonce }));
        if (attempt !== null && event.attempt !== null)
          judge.stored(process.name, attempt.id, event.transaction.hash);
        return this.#stored(process, event);
      case 'claim': {
        const written = this.#written.get(event.hash);
        if (written === undefined) return;
        written.claims += 1;
        written.claimedAt = [...written.claimedAt, event.node];
        if (!written.nodes.has(event.node)) situations.saw('bytes were sent again to another node');
        written.nodes = new Set([...written.nodes, event.node]);
        return;
      }
      case 'refusal': {
        const written = this.#written.get(event.hash);
        if (written !== undefined) written.isRefused = true;
        if (event.cause === 'lane') situations.saw('a lane rested for its account');
        if (nonce?.owner === null) {
          situations.saw('a refusal freed a nonce');
          this.deps.aim(process, false);
        }
        if (attempt?.state === 'refused') judge.ended(process.name, attempt.id);
        this.#judgeRejection(attempt, event);
        return;
      }
      case 'settle':
        judge.concluded(described(event), event.consumer.block, event.evidence, true);
        judge.lostLedger.settled(process.name, event.consumer.hash);
        return this.#settled(event, nonce?.settlement?.isForeign === true);
      case 'finalize':
        judge.concluded(described(event), event.block, event.evidence, true);
        if (attempt !== null) situations.saw('an outcome became final');
        this.#final.add(`${event.lane}/${event.nonce}`);
        return;
      case 'reopen':
        judge.concluded(described(event), event.undone, event.evidence, false);
        situations.saw('a reopening');
        if (this.#final.delete(`${event.lane}/${event.nonce}`)) {
          situations.saw('a final outcome was opened again');
          this.#undoneFinal.add(`${event.lane}/${event.nonce}`);
        }
        this.#reopened.add(`${event.lane}/${event.nonce}`);
        this.disproved.delete(`${event.lane}/${event.nonce}`);
        if (attempt !== null && attempt.undone !== null)
          situations.saw('an outcome at ACCEPTED_ON_L2 was undone');
        if (nonce?.owner === null && this.#hasCall(event.lane, event.nonce))
          situations.saw('an attempt had moved on before the reopening');
        return;
      case 'introduce':
        if (!event.isAccepted) situations.saw('a lane was introduced in quarantine');
        return;
      case 'quarantine':
        if (!event.isAged) situations.saw('a ledger was behind its chain');
        this.#quarantined.add(event.lane);
        return;
      case 'end_quarantine':
        return situations.saw('a quarantine ended');
      case 'adopt':
        judge.concluded(described(event), event.consumer.block, event.evidence, true);
        situations.saw('an adoption');
        if (attempt !== null) {
          const { id, key, replayProtected } = attempt;
          judge.adopted(
            {
              id,
              key,
              serial: Number(event.submission.calldata.at(1)),
              isProtected: replayProtected,
            },
            event.consumer.hash,
          );
        }
        return;
      case 'renew':
        situations.saw('a newer call replaced one that waited');
        if (attempt !== null) judge.renewed(attempt.id, Number(event.calldata.at(1)));
        return;
      case 'import':
      case 'observe':
        return;
    }
  }

  /**
   * Checks that a broken account does not end a call. If an account cannot sign, its rejection is
   * no evidence about the call. But if two such accounts reject the same call, the call may end.
   */
  #judgeRejection(
    attempt: Attempt | null,
    { code, lane }: Extract<SubmissionCommand, { type: 'refusal' }>,
  ): void {
    // If the account was repaired before the engine checked it, the check cannot find that it was
    // broken.
    if (attempt?.state !== 'refused' || !ACCOUNT_CODES.has(code) || !this.deps.isBroken(lane))
      return;
    const blamed = this.#blamed.get(attempt.id);
    if (blamed === undefined || blamed.byOthers > 0 || blamed.byBroken > 1) return;
    this.deps.judge.broken(
      'one broken account refuses no call',
      `${attempt.id} (${attempt.key}) is refused with ${code}`,
    );
  }

  /** True if the ledger considers a transaction of the attempt able to land. */
  #mayLand(attempt: string): boolean {
    return [...this.#written.values()].some(
      (written) => written.attempt === attempt && !written.isRefused && !written.isLost,
    );
  }

  #hasCall(lane: Felt, nonce: bigint): boolean {
    return [...this.#written.values()].some(
      (written) =>
        written.lane === lane &&
        written.nonce === nonce &&
        written.kind === 'call' &&
        !written.isRefused,
    );
  }

  #stored(
    process: OsProcess,
    { transaction, lane, nonce, attempt, node }: Extract<SubmissionCommand, { type: 'store' }>,
  ): void {
    const under = [...this.#written.values()].filter(
      (other) => other.lane === lane && other.nonce === nonce && !other.isRefused && !other.isLost,
    );
    const isFree = under.length === 0;
    const before = this.#written.get(transaction.hash);
    const isQuarantine = this.#quarantined.has(lane) && attempt === null && isFree;
    const purpose =
      attempt !== null
        ? isFree
          ? 'call'
          : 'replacement'
        : isQuarantine
          ? 'quarantine'
          : isFree
            ? 'hole'
            : 'against';
    const kind = attempt === null ? 'noop' : 'call';
    this.#written.set(transaction.hash, {
      lane,
      nonce,
      kind,
      purpose,
      attempt: attempt === null ? null : nameOfAttempt(attempt),
      bytes: transaction.bytes,
      claims: (before?.claims ?? 0) + 1,
      sends: before?.sends ?? 0,
      claimedAt: [...(before?.claimedAt ?? []), node],
      nodes: new Set([...(before?.nodes ?? []), node]),
      refusedBy: before?.refusedBy ?? null,
      isLost: false,
      isRefused: false,
    });
    if (attempt !== null && isFree && (this.#looking.get(process.name) ?? 0) > 0)
      this.deps.situations.saw('a poll overlapped a prepare');
    if (purpose === 'hole') this.deps.situations.saw('a hole was filled');
    if (purpose === 'replacement' || purpose === 'against') this.deps.aim(process, true);
  }

  #settled(
    { consumer, lane, nonce }: Extract<SubmissionCommand, { type: 'settle' }>,
    isForeign: boolean,
  ): void {
    const { situations } = this.deps;
    if (isForeign) situations.saw('a foreign transaction consumed a nonce');
    const landed = this.#written.get(consumer.hash);
    if (landed?.isRefused === true) this.disproved.add(`${lane}/${nonce}`);
    if (landed !== undefined) landed.isRefused = false;
    for (const [hash, written] of this.#written) {
      if (written.lane !== lane || written.nonce !== nonce || hash === consumer.hash) continue;
      if (!written.isRefused && written.kind === 'call')
        situations.saw('an attempt of its own nonce lost it');
      written.isLost = true;
    }
  }

  #included({ tx, execution }: Inclusion): void {
    const { situations } = this.deps;
    const before = this.#outcomes.get(tx.hash);
    if (before !== undefined && before !== execution)
      situations.saw('the same bytes landed twice, with another outcome');
    this.#outcomes.set(tx.hash, execution);
    if (this.#evicted.has(tx.hash)) situations.saw('a copy landed after its eviction');
    const written = this.#written.get(tx.hash);
    if (written === undefined) return;
    if (written.isRefused) situations.saw('a refused one landed');
    if (written.refusedBy !== null && written.nodes.size > 1)
      situations.saw('another node refused bytes that landed');
    if (written.isLost && this.#reopened.has(`${tx.account}/${tx.nonce}`))
      situations.saw('a lost one landed after a reopening');
    if (written.purpose === 'replacement') situations.saw('a replacement landed');
    if (written.purpose === 'against') {
      situations.saw('a no-op landed against its owner');
      const rivals = [...this.#written.values()].filter(
        ({ lane, nonce }) => lane === tx.account && nonce === tx.nonce,
      );
      if (rivals.some((rival) => this.lastBlocks.isLate(decoded(rival.bytes))))
        situations.saw('a no-op landed against a late call');
    }
    if (written.purpose === 'quarantine') situations.saw('a quarantine no-op landed');
  }
}

function bytesOf(sent: unknown): Uint8Array {
  if (!(sent instanceof Uint8Array)) throw new TypeError('a transaction is sent as bytes');
  return sent;
}
