import { toFelt } from '@sotto/kernel';
import { hash, shortString } from 'starknet';
import { z } from 'zod';
import type { JsonRpc } from '../node/json-rpc.js';
import { Integer, Integers } from '../node/wire.js';
import type { Strk20Dump } from './strk20-dump.js';

/** Transfer out of the pool, in the token's smallest unit. */
export interface Strk20Payment {
  readonly to: bigint;
  readonly amount: bigint;
  /** @default STRK */
  readonly token?: bigint;
}

/** Private actions and the facts of their execution. There is no proof. */
export interface ProvenActions {
  /** Calldata of `apply_actions`. */
  readonly calldata: readonly bigint[];
  readonly proofFacts: readonly bigint[];
}

/** Changes of the facts, for proofs that the pool or the node should refuse. */
export interface ProofChanges {
  /** Height of the block at which the actions are executed. @default ten below the head */
  readonly baseBlock?: number;
  /** Returns changed facts. @default the facts are unchanged */
  readonly changeFacts?: (facts: readonly bigint[]) => readonly bigint[];
}

export interface WithdrawalOptions extends ProofChanges {
  /** Index of the note. @default 0, the note of 50 fri in the dump */
  readonly note?: number;
}

/** Index of each action in the pool's enum. */
const [CREATE_NOTE, DEPOSIT, USE_NOTE, WITHDRAW] = [3n, 5n, 6n, 7n] as const;
const NOTE_SALT = 2n ** 64n + 1n;
/** Version, program and output version of proof facts. */
const [PROOF, PROGRAM, OUTPUT] = ['PROOF0', 'VIRTUAL_SNOS', 'VIRTUAL_SNOS0'].map(textFelt);
/** Hash of the virtual program that devnet 0.8 allows. */
const PROGRAM_HASH = 0x3e98c2d7703b03a7edb73ed7f075f97f1dcbaa8f717cdf6e1a57bf058265473n;
const BASE_BLOCK_AGE = 10;
const Block = z.object({ block_hash: Integer });

/**
 * User of the real privacy pool. The pool itself compiles the user's actions in a view; the facts
 * are those that a prover would return for this execution.
 */
export class Strk20User {
  #random = 1n;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly dump: Strk20Dump,
  ) {}

  /**
   * Spends a note of the user completely.
   * @param payments transfers out of the pool; their sum must be the note's amount
   */
  async withdraw(
    payments: readonly Strk20Payment[],
    { note = 0, ...changes }: WithdrawalOptions = {},
  ): Promise<ProvenActions> {
    const use = [USE_NOTE, await this.#channelKey(), this.dump.strk, BigInt(note)];
    return this.#prove([use, ...payments.map((payment) => this.#payment(payment))], changes);
  }

  /**
   * Deposits STRK into new notes of the user, after the notes so far. The pool
   * transfers the sum of notes and payments from the user's account, so the account must approve it
   * before the actions are sent.
   * @param notesFri amount of each note
   */
  async deposit(
    notesFri: readonly bigint[],
    payments: readonly Strk20Payment[] = [],
    changes: ProofChanges = {},
  ): Promise<ProvenActions> {
    const { strk, user } = this.dump;
    const first = await this.#noteCount();
    const publicKey = await this.#publicKey();
    const amounts = [...notesFri, ...payments.map(({ amount }) => amount)];
    const notes = notesFri.map((amount, index) => {
      const at = first + BigInt(index);
      return [CREATE_NOTE, user.address, publicKey, strk, amount, at, NOTE_SALT];
    });
    const deposit = [DEPOSIT, strk, amounts.reduce((sum, amount) => sum + amount, 0n)];
    return this.#prove(
      [deposit, ...notes, ...payments.map((payment) => this.#payment(payment))],
      changes,
    );
  }

  #payment({ to, amount, token = this.dump.strk }: Strk20Payment): readonly bigint[] {
    this.#random += 1n;
    return [WITHDRAW, to, token, amount, this.#random];
  }

  /** Executes actions as a prover would, without a signature. */
  async #prove(
    actions: readonly (readonly bigint[])[],
    { baseBlock, changeFacts = (facts) => facts }: ProofChanges,
  ): Promise<ProvenActions> {
    const { pool, user, strk } = this.dump;
    const request = [user.address, user.viewingKey, BigInt(actions.length), ...actions.flat()];
    const calldata = await this.#view('compile_actions', request);
    const number = baseBlock ?? (await this.#head()) - BASE_BLOCK_AGE;
    const chainId = await this.rpc.query('starknet_chainId', {}, Integer);
    const payload = [await this.#poolClass(), ...calldata];
    const message = [pool, 0n, BigInt(payload.length), ...payload];
    const config = [textFelt('StarknetOsConfig3'), chainId, strk];
    const proofFacts = [
      PROOF ?? 0n,
      PROGRAM ?? 0n,
      PROGRAM_HASH,
      OUTPUT ?? 0n,
      BigInt(number),
      await this.#blockHash(number),
      BigInt(hash.computePedersenHashOnElements(config)),
      1n,
      poseidon(message),
    ];
    return { calldata, proofFacts: changeFacts(proofFacts) };
  }

  /** Returns the number of notes in STRK from the user to the user, spent notes included. */
  async #noteCount(): Promise<bigint> {
    const channelKey = await this.#channelKey();
    for (let index = 0n; ; index += 1n) {
      const id = poseidon([textFelt('NOTE_ID_TAG:V1'), channelKey, this.dump.strk, index, 0n]);
      const [packed = 0n] = await this.#view('get_note', [id]);
      if (packed === 0n) return index;
    }
  }

  async #channelKey(): Promise<bigint> {
    const { address, viewingKey } = this.dump.user;
    const tag = textFelt('CHANNEL_KEY_TAG:V1');
    return poseidon([tag, address, viewingKey, address, await this.#publicKey()]);
  }

  async #publicKey(): Promise<bigint> {
    const [key = 0n] = await this.#view('get_public_key', [this.dump.user.address]);
    return key;
  }

  /** @throws NodeRejection with the pool's reason */
  async #view(entrypoint: string, calldata: readonly bigint[]): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(this.dump.pool),
      entry_point_selector: hash.getSelectorFromName(entrypoint),
      calldata: calldata.map(toFelt),
    };
    return this.rpc.query('starknet_call', { request, block_id: 'latest' }, Integers);
  }

  #poolClass(): Promise<bigint> {
    const params = { block_id: 'latest', contract_address: toFelt(this.dump.pool) };
    return this.rpc.query('starknet_getClassHashAt', params, Integer);
  }

  #head(): Promise<number> {
    return this.rpc.query('starknet_blockNumber', {}, z.int());
  }

  async #blockHash(number: number): Promise<bigint> {
    const params = { block_id: { block_number: number } };
    return (await this.rpc.query('starknet_getBlockWithTxHashes', params, Block)).block_hash;
  }
}

function poseidon(felts: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements(felts.map(toFelt)));
}

function textFelt(text: string): bigint {
  return BigInt(shortString.encodeShortString(text));
}
