import { toFelt, type Felt } from '@sotto/kernel';
import type { Secret } from '@sotto/settings';
import { invokeHash, poseidon } from '@sotto/stark-hash';
import { typedData } from 'starknet';
import type { Book } from './book/book.js';
import type { Charge } from './book/spending.js';
import { readExecute } from './execute-calldata.js';
import { CHECKED_HASH, Key, type Signature } from './key.js';
import { readMessage } from './messages.js';
import { judgeTerms, worstCaseFri } from './policy/judge.js';
import { judgeCalls, type PermittedCalls } from './policy/judge-calls.js';
import { appliesActions } from './policy/judge-private-actions.js';
import type { AccountPolicy, Policy } from './policy/policy.js';
import { Refused } from './refusal.js';
import type { InvokeRequest, MessageRequest } from './requests.js';

export interface HeldAccount {
  readonly address: Felt;
  readonly privateKey: Secret;
}

/** Hours of a day: the limits of STRK for recipients and pools are limits per hour. */
const HOURS = 24n;

/** A signature, and the hash that the signer computed and signed. */
export interface Signed {
  readonly hash: Felt;
  readonly signature: Signature;
}

/** Log line of a signature, which contains the destinations of calls but not their arguments. */
export interface SignedLine {
  readonly kind: 'invoke' | 'message';
  readonly account: Felt;
  readonly nonce: string | null;
  readonly what: readonly string[];
  readonly boundFri: string;
}

interface SigningAccount {
  readonly address: Felt;
  readonly key: Key;
  readonly policy: AccountPolicy;
  /**
   * Signature of a constant hash, which proves that the signer has the key. The signer creates it
   * once, because the service requests it often.
   */
  readonly check: Signature;
}

/**
 * Signs only requests that its policy lists. A request contains no hash. The signer parses the
 * calls, checks them, stores the signature in its book, and signs the hash of the parsed data.
 */
export class Signer {
  readonly #accounts: ReadonlyMap<Felt, SigningAccount>;

  /** @throws Error if the signer has no key of an account in the policy */
  constructor(
    private readonly policy: Policy,
    held: readonly HeldAccount[],
    private readonly book: Book,
    private readonly log: (line: SignedLine) => void,
  ) {
    const keys = new Map(held.map(({ address, privateKey }) => [address, new Key(privateKey)]));
    this.#accounts = new Map(
      policy.accounts.map((account) => {
        const { address } = account;
        const key = keys.get(address);
        if (key === undefined) throw new Error(`no key for ${address}`);
        return [address, { address, key, policy: account, check: key.sign(CHECKED_HASH) }] as const;
      }),
    );
  }

  /**
   * Returns the accounts with their public keys, each with a signature of a constant hash. The
   * service lets the account on chain verify the signature, which confirms the key.
   */
  accounts(): object {
    return {
      chain_id: this.policy.chainId,
      accounts: [...this.#accounts.values()].map(({ address, key, check }) => ({
        address,
        public_key: key.publicKey,
        check: { hash: CHECKED_HASH, signature: check },
      })),
    };
  }

  /** @throws Refused */
  signInvoke({ chain_id: chainId, transaction }: InvokeRequest): Signed {
    if (chainId !== this.policy.chainId) throw new Refused('SIGNER_REFUSED_CHAIN');
    const account = this.#account(transaction.sender_address);
    judgeTerms(transaction, account.policy);
    const executed = readExecute(transaction.calldata);
    const calls = judgeCalls(executed, account.policy, this.policy);
    const { nonce, tip: tipFri, resource_bounds: bounds, proof_facts: facts } = transaction;
    if (facts !== undefined && !appliesActions(executed)) throw new Refused('SIGNER_REFUSED_TERMS');
    const hash = toFelt(
      invokeHash({
        sender: account.address,
        calldataHash: poseidon(transaction.calldata.toBytes()),
        chainId,
        nonce,
        bounds: {
          l1Gas: bounds.l1_gas,
          l2Gas: bounds.l2_gas,
          l1DataGas: bounds.l1_data_gas,
          tipFri,
        },
        proofFactsHash: facts === undefined ? null : poseidon(facts.toBytes()),
      }),
    );
    const boundFri = worstCaseFri(transaction);
    const what = this.#named(calls);
    this.book.record(
      { kind: 'invoke', account: account.address, nonce, hash, what, boundFri },
      this.#charges(account.policy, calls, boundFri),
    );
    return this.#signed(account, hash, { kind: 'invoke', nonce, what, boundFri });
  }

  /** @throws Refused */
  signMessage(request: MessageRequest): Signed {
    const account = this.#account(request.account);
    const { name, data } = readMessage(request, this.policy.chainId);
    if (!account.policy.messages.includes(name)) throw new Refused('SIGNER_REFUSED_MESSAGE');
    const hash = toFelt(typedData.getMessageHash(data, account.address));
    const what = [name];
    const nonce = null;
    const boundFri = 0n;
    this.book.record({
      kind: 'message',
      account: account.address,
      nonce,
      hash,
      what,
      boundFri,
    });
    return this.#signed(account, hash, { kind: 'message', nonce, what, boundFri });
  }

  #account(address: Felt): SigningAccount {
    const account = this.#accounts.get(address);
    if (account === undefined) throw new Refused('SIGNER_REFUSED_ACCOUNT');
    return account;
  }

  /** Returns the destinations of the calls. The address of a user's account is omitted. */
  #named({ listed, ...others }: PermittedCalls): readonly string[] {
    const { recipientGas, privateActions } = this.policy;
    return [
      ...(others.hasOutsideExecution ? ['execute_from_outside_v2'] : []),
      ...(others.poolFeeFri > 0n ? [`${privateActions?.token}.approve`] : []),
      ...listed.map(({ rule }) => `${rule.contract}.${rule.entrypoint}`),
      ...(others.recipientGasFri > 0n ? [`${recipientGas?.token}.transfer`] : []),
    ];
  }

  /**
   * Returns the charges of a signature: the gas for the budget of all accounts and for the budget
   * of this account, and the amounts of its calls for the limits of their rules. STRK for the
   * recipient of a withdrawal and for the fee of a privacy pool are charges too.
   */
  #charges(
    { address, budget }: AccountPolicy,
    { listed, recipientGasFri, poolFeeFri }: PermittedCalls,
    boundFri: bigint,
  ): readonly Charge[] {
    const gas = [
      { what: 'gas', budget: this.policy.budget },
      ...(budget === undefined ? [] : [{ what: `gas of ${address}`, budget }]),
    ].map(({ what, budget: { perHourFri, perDayFri } }) => ({
      what,
      amount: boundFri,
      limits: { perHour: perHourFri, perDay: perDayFri },
    }));
    const amounts = new Map<string, Charge>();
    for (const { rule, amount } of listed) {
      if (rule.amount === null || amount === null) continue;
      const what = `${address} ${rule.contract}.${rule.entrypoint}`;
      const before = amounts.get(what)?.amount ?? 0n;
      amounts.set(what, {
        what,
        amount: before + amount,
        limits: { perHour: null, perDay: rule.amount.perDay },
      });
    }
    const { recipientGas, privateActions } = this.policy;
    return [
      ...gas,
      ...amounts.values(),
      ...perHour('recipient gas', recipientGasFri, recipientGas),
      ...perHour('pool fees', poolFeeFri, privateActions),
    ];
  }

  #signed(
    { address, key }: SigningAccount,
    hash: Felt,
    {
      nonce,
      boundFri,
      ...line
    }: Pick<SignedLine, 'kind' | 'what'> & {
      readonly nonce: bigint | null;
      readonly boundFri: bigint;
    },
  ): Signed {
    const signature = key.sign(hash);
    this.log({
      ...line,
      account: address,
      nonce: nonce === null ? null : String(nonce),
      boundFri: String(boundFri),
    });
    return { hash, signature };
  }
}

/** Returns the charge of an amount that the policy limits per hour; none for an amount of 0. */
function perHour(
  what: string,
  amount: bigint,
  section: { readonly perHourFri: bigint } | undefined,
): readonly Charge[] {
  if (section === undefined || amount === 0n) return [];
  const { perHourFri } = section;
  return [{ what, amount, limits: { perHour: perHourFri, perDay: HOURS * perHourFri } }];
}
