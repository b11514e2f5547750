import { createHash } from 'node:crypto';
import { readActions } from '../contracts/privacy-pool-actions.js';
import { OPEN_NOTE_VALUE } from '../contracts/privacy-pool-open-notes.js';
import { mapEntry } from '../contracts/privacy-pool-storage.js';
import { messageHashOf } from '../contracts/privacy-pool.js';
import { Arguments, u256Felts } from '../contracts/calldata.js';
import { attest } from '../contracts/screening.js';
import { sandboxWorld } from '../contracts/world.js';
import { selectorOf, toHex } from '../engine/felt.js';
import {
  configHashOf,
  MIN_BASE_BLOCK_AGE,
  OUTPUT_VERSION,
  PROGRAM_VARIANT,
  PROOF_VERSION,
  substituteProof,
  VIRTUAL_PROGRAM_HASH,
} from '../engine/proof-facts.js';
import {
  actionFelts,
  type ActionFelts,
  type Ciphertext,
  type PrivatePayment,
} from './action-felts.js';
import { post, PrivacyNode, type PoolState } from './privacy-node.js';
import type {
  FeeOption,
  PrivacyProverOptions,
  PrivateRequest,
  ProofOptions,
  UserCall,
} from './private-request.js';

/**
 * Prover for the model of the privacy pool, which builds complete requests with valid proof facts.
 * The prover needs only the node's JSON-RPC, so any process can use it. Like the pool's model, the
 * prover does not check that a spent note exists: the pool's own tokens pay every request.
 */
export class PrivacyProver {
  readonly #node: PrivacyNode;
  readonly #pool: bigint;
  #nextNote = 0;

  constructor(private readonly options: PrivacyProverOptions) {
    this.#node = new PrivacyNode(options.rpcUrl);
    this.#pool = options.pool ?? sandboxWorld.privacyPool.address;
  }

  /** Registers a user's viewing key. The user's address is the only input. */
  register(user: bigint, options: ProofOptions = {}): Promise<PrivateRequest> {
    const publicKey = this.#felt('public key', user);
    const key = this.#ciphertext('private key', user);
    return this.prove(
      [
        actionFelts.writeOnce(mapEntry('public_key', user), publicKey),
        actionFelts.writeOnce(mapEntry('enc_private_key', user), ...key),
        actionFelts.emitViewingKeySet(user, publicKey, key),
      ],
      options,
    );
  }

  /**
   * Deposits tokens of a user into a new note.
   * @returns the request, and the approval that the user's account must make before it
   */
  async deposit(
    order: { readonly user: bigint; readonly token: bigint; readonly amount: bigint } & FeeOption,
    options: ProofOptions = {},
  ): Promise<PrivateRequest & { readonly approval: UserCall }> {
    const { user, token, amount, fee } = order;
    const [note = 0] = options.notes ?? [this.#takeNote()];
    const request = await this.prove(
      [
        actionFelts.transferFrom(user, token, amount),
        actionFelts.emitDeposit(user, token, amount),
        ...this.#createNote(note),
        ...(fee === undefined ? [] : this.#pay(fee, note)),
      ],
      options,
    );
    const approval = {
      to: toHex(token),
      entrypoint: 'approve',
      selector: toHex(selectorOf('approve')),
      calldata: [this.#pool, ...u256Felts(amount)].map(toHex),
    };
    return { ...request, approval };
  }

  /** Transfers a note to another user: one note is spent and two notes are created. */
  transfer(
    { token, fee }: { readonly token: bigint } & FeeOption,
    options: ProofOptions = {},
  ): Promise<PrivateRequest> {
    const tokens = fee === undefined ? [token] : [token, fee.token];
    const { notes, actions } = this.#spend(tokens, options);
    const [first = 0] = notes;
    return this.prove(
      [
        ...actions,
        ...this.#createNote(first, 'output'),
        ...this.#createNote(first, 'change'),
        ...(fee === undefined ? [] : this.#pay(fee, first)),
      ],
      options,
    );
  }

  /** Withdraws private balances to public addresses. One note is spent for each token. */
  withdraw(
    { payments, fee }: { readonly payments: readonly PrivatePayment[] } & FeeOption,
    options: ProofOptions = {},
  ): Promise<PrivateRequest> {
    const all = fee === undefined ? payments : [...payments, fee];
    const { notes, actions } = this.#spend(
      all.map(({ token }) => token),
      options,
    );
    return this.prove(
      [...actions, ...all.flatMap((payment) => this.#pay(payment, notes[0] ?? 0))],
      options,
    );
  }

  /**
   * Pays a contract and invokes it. If `openNote` is a token, the request creates an open note of
   * this token, which the contract must fill.
   */
  invoke(
    order: {
      readonly payment: PrivatePayment;
      readonly openNote?: bigint | undefined;
      /** Returns the calldata of the invoked entry point. */
      readonly calldata: (noteId: bigint) => readonly bigint[];
      readonly withComputation?: boolean | undefined;
    } & FeeOption,
    options: ProofOptions = {},
  ): Promise<PrivateRequest> {
    const { payment, openNote, calldata, withComputation = false, fee } = order;
    const payments = fee === undefined ? [payment] : [payment, fee];
    const { notes, actions } = this.#spend(
      payments.map(({ token }) => token),
      options,
    );
    const [first = 0] = notes;
    const noteId = this.#felt('open note', first);
    const invoke = withComputation ? actionFelts.invokeWithComputation : actionFelts.invoke;
    return this.prove(
      [
        ...(openNote === undefined ? [] : this.#createOpenNote(noteId, openNote)),
        ...actions,
        ...payments.flatMap((one) => this.#pay(one, first)),
        invoke(payment.to, calldata(noteId)),
      ],
      options,
    );
  }

  /** Swaps a private balance into an open note at the sandbox's contract for private swaps. */
  swap(
    order: {
      readonly sellToken: bigint;
      readonly sellAmount: bigint;
      readonly buyToken: bigint;
      readonly minimum?: bigint | undefined;
    } & FeeOption,
    options: ProofOptions = {},
  ): Promise<PrivateRequest> {
    const { sellToken, sellAmount, buyToken, minimum = 1n, fee } = order;
    return this.invoke(
      {
        payment: { to: sandboxWorld.privacyPool.swap, token: sellToken, amount: sellAmount },
        openNote: buyToken,
        calldata: (noteId) => [sellToken, buyToken, minimum, noteId],
        fee,
      },
      options,
    );
  }

  /** Builds a request with any actions. @throws Error if the node is unavailable */
  async prove(
    actions: readonly ActionFelts[],
    options: ProofOptions = {},
  ): Promise<PrivateRequest> {
    const state = await this.#stateWithBlocks(options);
    const number = options.baseBlock ?? state.latest - MIN_BASE_BLOCK_AGE;
    const hash = await this.#node.blockHash(number);
    const calldata = [BigInt(actions.length), ...actions.flat()];
    const honest = [
      PROOF_VERSION,
      PROGRAM_VARIANT,
      VIRTUAL_PROGRAM_HASH,
      OUTPUT_VERSION,
      BigInt(number),
      hash,
      configHashOf(state.chainId, sandboxWorld.tokens.STRK.address),
      1n,
      messageHashOf({ pool: this.#pool, classHash: state.classHash, actionFelts: calldata }),
    ];
    const facts = options.changeFacts?.(honest) ?? honest;
    const parsed = readActions(new Arguments(calldata));
    return {
      poolAddress: toHex(this.#pool),
      calldata: [...calldata, ...screeningFelts(state, depositorOf(parsed), options)].map(toHex),
      proofFacts: facts.map(toHex),
      proof: substituteProof(facts),
      baseBlock: { number, hash: toHex(hash) },
      writeOnceAddresses: parsed.flatMap((action) =>
        action.kind === 'write_once' ? [toHex(action.address)] : [],
      ),
    };
  }

  async #stateWithBlocks({ baseBlock }: ProofOptions): Promise<PoolState> {
    const state = await this.#node.poolState(this.#pool);
    if (baseBlock !== undefined || state.latest >= MIN_BASE_BLOCK_AGE) return state;
    const { controlUrl } = this.options;
    if (controlUrl === undefined)
      throw new Error(`a proof needs a chain with ${MIN_BASE_BLOCK_AGE} blocks after block 0`);
    await post(controlUrl, { action: 'mine', blocks: MIN_BASE_BLOCK_AGE - state.latest });
    return this.#node.poolState(this.#pool);
  }

  #takeNote(): number {
    this.#nextNote += 1;
    return this.#nextNote - 1;
  }

  /** Spends one note for each token. */
  #spend(
    tokens: readonly bigint[],
    options: ProofOptions,
  ): { readonly notes: readonly number[]; readonly actions: readonly ActionFelts[] } {
    const count = new Set(tokens).size;
    const notes = options.notes ?? Array.from({ length: count }, () => this.#takeNote());
    const actions = notes.flatMap((note) => {
      const nullifier = this.#felt('nullifier', note);
      return [
        actionFelts.writeOnce(mapEntry('nullifiers', nullifier), 1n),
        actionFelts.emitNoteUsed(nullifier),
      ];
    });
    return { notes, actions };
  }

  #createNote(note: number, role = 'deposit'): ActionFelts[] {
    const id = this.#felt(`note ${role}`, note);
    const value = this.#felt(`value ${role}`, note);
    return [
      actionFelts.writeOnce(mapEntry('notes', id), value),
      actionFelts.emitEncNoteCreated(id, value),
    ];
  }

  #createOpenNote(id: bigint, token: bigint): ActionFelts[] {
    return [
      actionFelts.writeOnce(mapEntry('notes', id), OPEN_NOTE_VALUE, token),
      actionFelts.emitOpenNoteCreated(this.#ciphertext('recipient', id), token, id),
    ];
  }

  #pay(payment: PrivatePayment, note: number): ActionFelts[] {
    return [
      actionFelts.transferTo(payment),
      actionFelts.emitWithdrawal(this.#ciphertext('user', note), payment),
    ];
  }

  #ciphertext(role: string, subject: bigint | number): Ciphertext {
    return [
      this.#felt(`${role} 0`, subject),
      this.#felt(`${role} 1`, subject),
      this.#felt(`${role} 2`, subject),
    ];
  }

  /** Returns a felt of 248 bits that depends on the seed, the role and the subject. */
  #felt(role: string, subject: bigint | number): bigint {
    const digest = createHash('sha256').update(`${this.options.seed}/${role}/${subject}`).digest();
    return BigInt(`0x${digest.subarray(1).toString('hex')}`);
  }
}

function depositorOf(actions: ReturnType<typeof readActions>): bigint | undefined {
  return actions.flatMap((action) => (action.kind === 'transfer_from' ? [action.from] : []))[0];
}

/** Returns the argument `screening` of the call; no felts for a class without the argument. */
function screeningFelts(
  { chainId, hasScreening, screenerPublicKey, nowSeconds }: PoolState,
  depositor: bigint | undefined,
  { screening = 'needed' }: ProofOptions,
): bigint[] {
  if (!hasScreening) return [];
  const isNeeded = depositor !== undefined && screenerPublicKey !== 0n;
  if (screening === 'never' || (screening === 'needed' && !isNeeded)) return [1n];
  const { issuedAt, signature } = attest(
    { chainId, screenerPublicKey, subject: depositor ?? 0n, issuedAt: nowSeconds },
    sandboxWorld.privacyPool.screener.privateKey,
  );
  return [0n, issuedAt, ...signature];
}
