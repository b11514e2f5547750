import { toFelt } from '@sotto/kernel';
import type { Answer, Service } from '@sotto/process-kit';
import { PrivacyProver, sandboxWorld, type PrivateRequest, type UserCall } from '@sotto/sandbox';
import type { TypedData } from 'starknet';
import { Stack, type StackOptions } from './stack.js';
import { vector } from './withdrawals.js';

const { tokens, privacyPool } = sandboxWorld;

/** Key of the sponsor `wallet`, whose budget per day is 2 STRK. */
export const SPONSOR_KEY = 'sponsor-key-of-a-wallet';
/** One STRK in fri. */
export const ONE = 10n ** 18n;
/** Selector of `apply_actions`. */
const APPLY_ACTIONS = '0x246333a752c1ac637ff1591c5c885e27d56060d241a29aad8475072da0777db';

/**
 * Returns the parameters that execute a request after calls of the user's account. The fee is paid
 * in STRK.
 */
export function invokeParams(
  { poolAddress, calldata, proofFacts, proof }: PrivateRequest,
  invoke: object,
): object {
  return {
    transaction: {
      type: 'invoke_and_apply_action',
      apply_action: {
        apply_actions_call: { to: poolAddress, selector: APPLY_ACTIONS, calldata },
        proof,
        proof_facts: proofFacts,
      },
      invoke,
    },
    parameters: {
      version: '0x1',
      fee_mode: { mode: 'default', gas_token: toFelt(tokens.STRK.address) },
    },
  };
}

/** Token and amount of a fee. */
export type Fee = Readonly<{ token: bigint; amount: bigint }>;

/** Starts a service that relays private actions of the sandbox's privacy pool. */
export function privateStack(options: StackOptions = {}): Promise<Stack> {
  return Stack.start({
    genesis: { emptyBlocks: 12 },
    whole: true,
    ...options,
    env: {
      SPONSORS: JSON.stringify({
        wallet: {
          key: SPONSOR_KEY,
          budgetPerDayFri: String(2n * ONE),
          budgetPerNetworkFri: String(2n * ONE),
        },
      }),
      ...(typeof options.env === 'object' ? options.env : {}),
    },
  });
}

/** Wallet that proves actions on the sandbox and sends them to a service. */
export class PrivateWallet {
  readonly prover: PrivacyProver;

  constructor(
    private readonly stack: Stack,
    seed: string,
  ) {
    const rpcUrl = stack.environment['STARKNET_RPC_URLS'] ?? '';
    this.prover = new PrivacyProver({ rpcUrl, controlUrl: `${rpcUrl}/control`, seed });
  }

  get service(): Service {
    return this.stack.service;
  }

  /** Payment of a fee to the relayer. */
  feeOf({ token, amount }: Fee) {
    return { to: BigInt(vector.relayer), token, amount };
  }

  /** Sends a request over the REST route. */
  send(
    { poolAddress, calldata, proofFacts, proof }: Partial<PrivateRequest>,
    more: object = {},
    query = '',
  ): Promise<Answer> {
    const body = { poolAddress, calldata, proofFacts, proof, ...more };
    return this.service.post(`/api/relayer/private-action${query}`, body);
  }

  /**
   * Submits a request over the REST route without waiting for its outcome. Resolves to the path of
   * the submission. @throws Error if the service does not accept the request
   */
  async accepted(
    { poolAddress, calldata, proofFacts, proof }: PrivateRequest,
    headersOfCaller: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const body = { poolAddress, calldata, proofFacts, proof };
    const { status, headers, text } = await this.service.post('/api/relayer/private-action', body, {
      ...headersOfCaller,
      prefer: 'respond-async',
    });
    const location = headers.get('location');
    if (status !== 202 || location === null) throw new Error(`not accepted: ${status} ${text}`);
    return location;
  }

  /** Calls a method of the paymaster. Resolves to the whole response. */
  async call(method: string, params: object, key?: string): Promise<unknown> {
    const { body } = await this.service.post(
      '/paymaster',
      { jsonrpc: '2.0', id: 1, method, params },
      key === undefined ? {} : { 'x-paymaster-api-key': key },
    );
    return body;
  }

  /** Builds a transaction. Resolves to the action that pays the fee. */
  async build(
    token: bigint = tokens.STRK.address,
    feeMode: object = { mode: 'default', gas_token: toFelt(token) },
    key?: string,
  ): Promise<Fee & { readonly recipient: bigint }> {
    const response = await this.call(
      'paymaster_buildTransaction',
      {
        transaction: {
          type: 'apply_action',
          apply_action: { pool_address: toFelt(privacyPool.address) },
        },
        parameters: { version: '0x1', fee_mode: feeMode },
      },
      key,
    );
    const { recipient, token: wanted, amount } = Object(response).result.fee_action;
    return { recipient: BigInt(recipient), token: BigInt(wanted), amount: BigInt(amount) };
  }

  /** Builds a transaction that begins with calls of the user's account. Resolves to its result. */
  async buildInvoke(
    user: bigint,
    calls: readonly Pick<UserCall, 'to' | 'selector' | 'calldata'>[],
  ): Promise<{ readonly fee: Fee; readonly typedData: TypedData }> {
    const response = await this.call('paymaster_buildTransaction', {
      transaction: {
        type: 'invoke_and_apply_action',
        apply_action: { pool_address: toFelt(privacyPool.address) },
        invoke: {
          user_address: toFelt(user),
          calls: calls.map(({ to, selector, calldata }) => ({ to, selector, calldata })),
        },
      },
      parameters: {
        version: '0x1',
        fee_mode: { mode: 'default', gas_token: toFelt(tokens.STRK.address) },
      },
    });
    const { fee_action: fee, typed_data: typedData } = Object(response).result;
    return { fee: { token: BigInt(fee.token), amount: BigInt(fee.amount) }, typedData };
  }

  /** Executes a request after calls of the user's account. Resolves to the whole response. */
  executeInvoke(request: PrivateRequest, invoke: object): Promise<unknown> {
    return this.call('paymaster_executeTransaction', invokeParams(request, invoke));
  }

  /** Executes a proven request over the paymaster. Resolves to the whole response. */
  execute(
    { poolAddress, calldata, proofFacts, proof }: PrivateRequest,
    {
      feeMode = { mode: 'default', gas_token: toFelt(tokens.STRK.address) },
      selector = APPLY_ACTIONS,
      key,
    }: { readonly feeMode?: object; readonly selector?: string; readonly key?: string } = {},
  ): Promise<unknown> {
    return this.call(
      'paymaster_executeTransaction',
      {
        transaction: {
          type: 'apply_action',
          apply_action: {
            apply_actions_call: { to: poolAddress, selector, calldata },
            proof,
            proof_facts: proofFacts,
          },
        },
        parameters: { version: '0x1', fee_mode: feeMode },
      },
      key,
    );
  }
}
