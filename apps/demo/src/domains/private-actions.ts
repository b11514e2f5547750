import { systemClock, toFelt } from '@sotto/kernel';
import { PrivacyProver, type PrivatePayment, type PrivateRequest } from '@sotto/sandbox';
import { hash } from 'starknet';
import { z } from 'zod';
import { say } from '../console.js';
import { postJson } from '../json-request.js';
import { formatStrk } from '../report.js';
import type { Sites } from '../sites/sites.js';
import { Node } from '../wallet/node.js';

const APPLY_ACTIONS = hash.getSelectorFromName('apply_actions');
/** Withdrawn amount: 5 STRK, in fri. */
const WITHDRAWN_FRI = 5n * 10n ** 18n;
const POLL_EVERY_MS = 100;
const TIMEOUT_MS = 60_000;

const Amount = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(BigInt);
const Response = z.union([
  z.object({ error: z.object({ message: z.string(), data: z.unknown() }) }),
  z.object({ result: z.unknown() }),
]);
const Built = z.object({
  fee_action: z.object({ recipient: Amount, token: Amount, amount: Amount }),
});
const Executed = z.object({ transaction_hash: z.string(), tracking_id: z.string() });
const Tracked = z.object({
  transaction_hash: z.string(),
  status: z.enum(['active', 'accepted', 'dropped']),
});

/**
 * Transfers a private balance as a wallet would, over the paymaster. @throws Error unless a block
 * contains the transfer
 */
export async function showPrivateTransfer(sites: Sites): Promise<string> {
  const token = sites.world.tokens.STRK.address;
  return relayed(sites, 'private transfer', (prover, fee) => prover.transfer({ token, fee }));
}

/**
 * Withdraws a private balance to an account without funds. @throws Error unless the account gets
 * the amount
 */
export async function showPrivateWithdrawal(sites: Sites): Promise<string> {
  const { accounts, tokens } = sites.world;
  const payment = {
    to: accounts.recipient2.address,
    token: tokens.STRK.address,
    amount: WITHDRAWN_FRI,
  };
  const balance = (): Promise<bigint> => new Node(sites.rpcUrl).balance(payment.token, payment.to);
  const before = await balance();
  const text = await relayed(sites, 'private withdrawal', (prover, fee) =>
    prover.withdraw({ payments: [payment], fee }),
  );
  if ((await balance()) - before !== payment.amount)
    throw new Error('the recipient did not get the withdrawn amount');
  return `withdrew 5 STRK to a fresh account; ${text}`;
}

/** Builds, proves, executes and tracks private actions, and repeats their execution. */
async function relayed(
  sites: Sites,
  name: string,
  prove: (prover: PrivacyProver, fee: PrivatePayment) => Promise<PrivateRequest>,
): Promise<string> {
  const paymaster = new Paymaster(sites);
  const { recipient: to, ...price } = await paymaster.build();
  say(`proving a ${name} that pays ${formatStrk(price.amount)} STRK to the relayer`);
  const prover = new PrivacyProver({ rpcUrl: sites.rpcUrl, seed: name });
  const request = await prove(prover, { to, ...price });
  const executed = await paymaster.execute(request);
  const repeated = await paymaster.execute(request);
  if (repeated.transaction_hash !== executed.transaction_hash)
    throw new Error('the repeated execution has another hash');
  const accepted = await paymaster.accepted(executed.tracking_id);
  return `fee ${formatStrk(price.amount)} STRK, accepted in ${accepted}; the repeat has the same hash`;
}

/** Client of the service's paymaster, as a wallet has one. Fees are paid in STRK. */
class Paymaster {
  readonly #pool: string;
  readonly #parameters: object;

  /** @throws Error if the chain has no privacy pool */
  constructor(private readonly sites: Sites) {
    const { privacyPool, tokens } = sites.world;
    if (privacyPool === undefined) throw new Error('the chain has no privacy pool');
    this.#pool = toFelt(privacyPool.address);
    this.#parameters = {
      version: '0x1',
      fee_mode: { mode: 'default', gas_token: toFelt(tokens.STRK.address) },
    };
  }

  /** Returns the withdrawal that pays the fee. */
  async build(): Promise<z.output<typeof Built>['fee_action']> {
    const transaction = { type: 'apply_action', apply_action: { pool_address: this.#pool } };
    const params = { transaction, parameters: this.#parameters };
    return Built.parse(await this.#call('paymaster_buildTransaction', params)).fee_action;
  }

  async execute(request: PrivateRequest): Promise<z.output<typeof Executed>> {
    const { calldata, proof, proofFacts } = request;
    const transaction = {
      type: 'apply_action',
      apply_action: {
        apply_actions_call: { to: this.#pool, selector: APPLY_ACTIONS, calldata },
        proof,
        proof_facts: proofFacts,
      },
    };
    const params = { transaction, parameters: this.#parameters };
    return Executed.parse(await this.#call('paymaster_executeTransaction', params));
  }

  /** Returns the transaction's hash as soon as an accepted block contains the transaction. */
  async accepted(trackingId: string): Promise<string> {
    const untilMs = systemClock.monotonicMs() + TIMEOUT_MS;
    while (systemClock.monotonicMs() < untilMs) {
      const params = { tracking_id: trackingId };
      const tracked = Tracked.parse(await this.#call('paymaster_trackingIdToLatestHash', params));
      if (tracked.status === 'accepted') return tracked.transaction_hash;
      if (tracked.status === 'dropped') throw new Error('the submission has ended without a block');
      await systemClock.sleep(POLL_EVERY_MS);
    }
    throw new Error(`waited ${TIMEOUT_MS / 1_000} s for an accepted block`);
  }

  async #call(method: string, params: object): Promise<unknown> {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    const response = Response.parse(
      (await postJson(`${this.sites.baseUrl}/paymaster`, request)).body,
    );
    if (!('error' in response)) return response.result;
    throw new Error(`${method}: ${JSON.stringify(response.error.data)}`);
  }
}
