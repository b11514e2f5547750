import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { OUTPUT_VERSION, PROGRAM_VARIANT } from '../engine/proof-facts.js';
import { poseidonOf, selectorOf } from '../engine/felt.js';
import { remembered } from '../engine/remembered.js';
import { Arguments, modelClassHash, shortStringFelt, u256Felts } from './calldata.js';
import { allowanceOf, tokenBalance } from './erc20.js';
import { view } from './pool-parts.js';
import { INVOKED, readActions, type PoolAction } from './privacy-pool-actions.js';
import { depositIntoOpenNotes, readDeposits } from './privacy-pool-open-notes.js';
import {
  PRIVACY_POOL_STORAGE as STORAGE,
  mapEntry,
  normalized,
  slotAt,
  vectorItem,
} from './privacy-pool-storage.js';
import {
  isAttested,
  SCREENING_MAX_AGE_SECONDS,
  SCREENING_MAX_AHEAD_SECONDS,
  type ScreeningAttestation,
} from './screening.js';

/**
 * Version of the pool's class. The older class has neither the argument `screening` nor the view
 * `get_version`.
 */
export type PrivacyPoolVersion = '2.0' | 'before 2.0';

export interface PrivacyPoolOptions {
  /** Token of the pool's fee. */
  readonly feeToken: bigint;
  readonly version: PrivacyPoolVersion;
  /** Release of the class. Releases of one version differ only in their class hash. @default 1 */
  readonly release?: number;
  /** True if a second write to a storage address reverts. @default true */
  readonly enforceWriteOnce?: boolean | undefined;
}

/** L2 gas of `apply_actions` without its actions: it reads the facts and hashes the actions. */
const APPLY_L2_GAS = 600_000n;
const WRITE_L2_GAS = 60_000n;
const TRANSFER_L2_GAS = 1_000_000n;
const EVENT_L2_GAS = 80_000n;
const INVOKE_L2_GAS = 300_000n;
const READ_L2_GAS = 20_000n;

/** Number of proof facts before the span of message hashes. */
const FACTS_BEFORE_MESSAGES = 7;
const U64_BOUND = 2n ** 64n;

const EXTERNAL_CONTRACT_INVOKED = selectorOf('ExternalContractInvoked');

/** Returns the class hash of a release of the pool. */
export function privacyPoolClassHash(version: PrivacyPoolVersion, release = 1): bigint {
  return modelClassHash(`PrivacyPool ${version} release ${release}`);
}

/**
 * Privacy pool of STRK20: one contract with the notes of all tokens. A proof that the pool's code
 * was executed virtually allows any caller to apply the resulting actions. The model has the real
 * calldata, sequence of checks, revert texts, events and storage addresses. The model applies
 * actions and does not produce them. Like the contract, the model cannot know whether a note
 * existed.
 */
export function privacyPool(options: PrivacyPoolOptions): ContractModel {
  const { version, release } = options;
  const classHash = privacyPoolClassHash(version, release);
  return {
    name: 'PrivacyPool',
    classHash,
    entrypoints: {
      apply_actions: applyActions(options, classHash),
      is_paused: variable(STORAGE.paused),
      get_fee_amount: variable(STORAGE.feeAmount),
      get_fee_collector: variable(STORAGE.feeCollector),
      get_proof_validity_blocks: variable(STORAGE.validityBlocks),
      nullifier_exists: lookup((context, nullifier) => [
        context.get(slotAt(mapEntry('nullifiers', nullifier))),
      ]),
      get_note: lookup((context, noteId) => {
        const note = mapEntry('notes', noteId);
        return [context.get(slotAt(note)), context.get(slotAt(note, 1))];
      }),
      get_public_key: lookup((context, user) => [
        context.get(slotAt(mapEntry('public_key', user))),
      ]),
      get_num_of_channels: lookup((context, recipient) => [
        context.get(slotAt(mapEntry('recipient_channels', recipient))),
      ]),
      ...(version === '2.0' && {
        get_version: view(() => [shortStringFelt('2.0')]),
        get_screener_public_key: variable(STORAGE.screenerPublicKey),
        get_open_note_screening_policy: lookup((context, contract) => [
          context.get(slotAt(mapEntry('open_note_depositor_screening_policies', contract))),
        ]),
      }),
    },
  };
}

function variable(key: string): Entrypoint {
  return view((context) => [context.get(key)]);
}

function lookup(read: (context: CallContext, key: bigint) => bigint[]): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const key = args.felt();
    args.end();
    context.useL2Gas(READ_L2_GAS);
    return read(context, key);
  };
}

function applyActions(options: PrivacyPoolOptions, classHash: bigint): Entrypoint {
  const screens = options.version === '2.0';
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const actions = readActions(args);
    const actionFelts = calldata.slice(0, args.position);
    const attestation = screens ? readScreening(args) : undefined;
    args.end();
    context.useL2Gas(APPLY_L2_GAS);

    if (context.get(STORAGE.reentrancy) !== 0n) throw new Revert('ReentrancyGuard: reentrant call');
    context.set(STORAGE.reentrancy, 1n);
    if (context.get(STORAGE.paused) !== 0n) throw new Revert('PAUSED');
    checkFacts(context, messageHashOf({ pool: context.self, classHash, actionFelts }));
    collectFee(context, options.feeToken);
    const subjects = new ScreeningSubjects(context, screens);
    applyAll(context, actions, subjects, options.enforceWriteOnce ?? true);
    checkScreening(context, subjects.subject, attestation);
    context.set(STORAGE.reentrancy, 0n);
    return [];
  };
}

function readScreening(args: Arguments): ScreeningAttestation | undefined {
  return args.compound(() => {
    const isNone = args.variant(2) === 1;
    if (isNone) return undefined;
    return { issuedAt: args.u64(), signature: [args.felt(), args.felt()] };
  });
}

/** Message that the virtual execution sends: the pool's actions, bound to the pool's class. */
export interface ActionsMessage {
  readonly pool: bigint;
  readonly classHash: bigint;
  /** Felts of the actions with their number. */
  readonly actionFelts: readonly bigint[];
}

/** Returns the hash of the message, which the proof facts contain. */
export const messageHashOf = remembered(
  ({ pool, classHash, actionFelts }: ActionsMessage): bigint =>
    poseidonOf([pool, 0n, BigInt(actionFelts.length + 1), classHash, ...actionFelts]),
  ({ pool, classHash, actionFelts }) => [pool, classHash, ...actionFelts].join(),
);

function checkFacts(context: CallContext, messageHash: bigint): void {
  const facts = context.transaction.proofFacts;
  if (facts.length === 0) throw new Revert('EMPTY_PROOF_FACTS');
  const [, variant, , output, baseBlock = U64_BOUND] = facts;
  const count = facts[FACTS_BEFORE_MESSAGES];
  const left = facts.length - FACTS_BEFORE_MESSAGES - 1;
  if (count === undefined || count > BigInt(left) || baseBlock >= U64_BOUND)
    throw new Revert('PROOF_FACTS_DESERIALIZE_ERROR');
  if (count < BigInt(left)) throw new Revert('INVALID_PROOF_FACTS');
  if (variant !== PROGRAM_VARIANT) throw new Revert('INVALID_PROGRAM_VARIANT');
  if (output !== OUTPUT_VERSION) throw new Revert('INVALID_OS_OUTPUT_VERSION');
  const current = BigInt(context.block.number);
  if (baseBlock >= current) throw new Revert('INVALID_BASE_BLOCK_NUMBER');
  if (current > baseBlock + context.get(STORAGE.validityBlocks)) throw new Revert('PROOF_EXPIRED');
  if (count !== 1n || facts[FACTS_BEFORE_MESSAGES + 1] !== messageHash)
    throw new Revert('INVALID_PROOF_MSG');
}

function collectFee(context: CallContext, feeToken: bigint): void {
  const amount = context.get(STORAGE.feeAmount);
  if (amount === 0n) return;
  const to = context.get(STORAGE.feeCollector);
  checkedTransferFrom(context, { token: feeToken, from: context.caller, to, amount });
}

function applyAll(
  context: CallContext,
  actions: readonly PoolAction[],
  subjects: ScreeningSubjects,
  enforceWriteOnce: boolean,
): void {
  let undeposited = 0;
  for (const action of actions) {
    switch (action.kind) {
      case 'write_once':
        writeOnce(context, action, enforceWriteOnce);
        break;
      case 'append':
        append(context, action.recipient, action.info);
        break;
      case 'transfer_from':
        subjects.add(action.from);
        checkedTransferFrom(context, { ...action, to: context.self });
        break;
      case 'transfer_to':
        checkedTransfer(context, action);
        break;
      case 'emit':
        context.useL2Gas(EVENT_L2_GAS);
        context.emit(action.keys, action.data);
        if (action.opensNote) undeposited += 1;
        break;
      case 'invoke':
        undeposited -= invoke(context, action, subjects);
        if (undeposited < 0) throw new Revert('TOO_MANY_OPEN_NOTES_DEPOSITED');
    }
  }
  if (undeposited > 0) throw new Revert('UNDEPOSITED_OPEN_NOTES');
}

/**
 * Writes values from a storage address on. The address is used by one transaction only, so a second
 * transaction with the same action reverts.
 */
function writeOnce(
  context: CallContext,
  { address, values }: Extract<PoolAction, { kind: 'write_once' }>,
  isEnforced: boolean,
): void {
  const [first] = values;
  if (first === undefined) throw new Revert('UNEXPECTED_EMPTY_VALUE');
  if (first === 0n) throw new Revert('UNEXPECTED_ZERO_VALUE');
  for (const [offset, value] of values.entries()) {
    context.useL2Gas(WRITE_L2_GAS);
    const slot = slotAt(normalized(address), offset);
    if (isEnforced && context.get(slot) !== 0n) throw new Revert('NON_ZERO_VALUE');
    context.set(slot, value);
  }
}

function append(context: CallContext, recipient: bigint, info: readonly bigint[]): void {
  const channels = mapEntry('recipient_channels', recipient);
  const length = context.get(slotAt(channels));
  const item = vectorItem(channels, length);
  context.set(slotAt(channels), length + 1n);
  for (const [offset, value] of info.entries()) {
    context.useL2Gas(WRITE_L2_GAS);
    context.set(slotAt(item, offset), value);
  }
}

/** Invokes a contract. @returns number of open notes that the contract filled */
function invoke(
  context: CallContext,
  { contract, calldata, entrypoint }: Extract<PoolAction, { kind: 'invoke' }>,
  subjects: ScreeningSubjects,
): number {
  context.useL2Gas(INVOKE_L2_GAS);
  const result = context.call(contract, entrypoint, calldata);
  context.emit([EXTERNAL_CONTRACT_INVOKED, contract, selectorOf(entrypoint)], []);
  const { deposits, addresses } = readDeposits(result);
  if (deposits.length === 0) return 0;
  subjects.addInvoked(contract, entrypoint === INVOKED.invokeWithComputation ? addresses : null);
  for (const { note, token, amount } of depositIntoOpenNotes(context, deposits)) {
    checkedTransferFrom(context, { token, from: contract, to: context.self, amount });
    context.emit([selectorOf('OpenNoteDeposited'), contract, token, note], [amount]);
  }
  return deposits.length;
}

interface Transfer {
  readonly token: bigint;
  readonly to: bigint;
  readonly amount: bigint;
}

function checkedTransfer(context: CallContext, { token, to, amount }: Transfer): void {
  context.useL2Gas(TRANSFER_L2_GAS);
  if (tokenBalance(context, token, context.self) < amount)
    throw new Revert('Insufficient ERC20 balance');
  context.call(token, 'transfer', [to, ...u256Felts(amount)]);
}

function checkedTransferFrom(
  context: CallContext,
  { token, from, to, amount }: Transfer & { readonly from: bigint },
): void {
  context.useL2Gas(TRANSFER_L2_GAS);
  if (tokenBalance(context, token, from) < amount) throw new Revert('Insufficient ERC20 balance');
  if (allowanceOf(context, token, { owner: from, spender: context.self }) < amount)
    throw new Revert('Insufficient ERC20 allowance');
  context.call(token, 'transfer_from', [from, to, ...u256Felts(amount)]);
}

/** Screening policies of invoked contracts, by the value in storage. */
export const SCREENING_POLICY = { required: 0n, exempt: 1n, delegated: 2n } as const;

/** Collects the address that a transaction's attestation must cover. */
class ScreeningSubjects {
  #subject: bigint | undefined;

  constructor(
    private readonly context: CallContext,
    private readonly screens: boolean,
  ) {}

  get subject(): bigint | undefined {
    return this.#subject;
  }

  add(address: bigint): void {
    if (!this.screens || this.context.get(STORAGE.screenerPublicKey) === 0n) return;
    if (address === 0n) throw new Revert('ZERO_CONTRACT_ADDRESS');
    if (this.#subject !== undefined && this.#subject !== address)
      throw new Revert('MULTIPLE_SCREENING_SUBJECTS');
    this.#subject = address;
  }

  /**
   * Adds the subjects of a contract that filled open notes. @param associated addresses that the
   * contract returned; null if it was not invoked with a computation
   */
  addInvoked(contract: bigint, associated: readonly bigint[] | undefined | null): void {
    const policy = this.context.get(
      slotAt(mapEntry('open_note_depositor_screening_policies', contract)),
    );
    if (policy === SCREENING_POLICY.required) this.add(contract);
    if (!this.screens || policy !== SCREENING_POLICY.delegated || associated === null) return;
    if (associated === undefined) throw new Revert('INVALID_ASSOCIATED_ADDRESSES');
    if (associated.length === 0) throw new Revert('NO_ASSOCIATED_ADDRESS');
    for (const address of associated) this.add(address);
  }
}

function checkScreening(
  context: CallContext,
  subject: bigint | undefined,
  attestation: ScreeningAttestation | undefined,
): void {
  if (subject === undefined) {
    if (attestation !== undefined) throw new Revert('UNEXPECTED_SCREENING');
    return;
  }
  if (attestation === undefined) throw new Revert('SCREENING_REQUIRED');
  const now = BigInt(context.block.timestampSeconds);
  const { issuedAt } = attestation;
  if (issuedAt > now + SCREENING_MAX_AHEAD_SECONDS) throw new Revert('SCREENING_FUTURE_DATED');
  if (now > issuedAt + SCREENING_MAX_AGE_SECONDS) throw new Revert('SCREENING_EXPIRED');
  const screenerPublicKey = context.get(STORAGE.screenerPublicKey);
  const { chainId } = context;
  if (!isAttested({ chainId, screenerPublicKey, subject, issuedAt }, attestation))
    throw new Revert('SCREENING_INVALID_SIGNATURE');
}
