import { randomBytes } from 'node:crypto';
import { toFelt } from '@sotto/kernel';
import { eventually, type Answer } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest, type SandboxAccount } from '@sotto/sandbox';
import { Signer, selector, stark } from 'starknet';
import { ONE, PrivateWallet, invokeParams, privateStack } from './private-actions.js';
import type { Stack } from './stack.js';
import { codeOf, type Caller } from './strangers.js';
import { vector } from './withdrawals.js';

const { privacyPool, tokens } = sandboxWorld;
const STRK: bigint = tokens.STRK.address;
const TOKEN = 'token-of-the-operator';
const PRIVATE_ACTION = '/api/relayer/private-action';

/** Approval of tokens for the pool, as a deposit needs it. */
const APPROVAL = {
  to: toFelt(tokens.WBTC.address),
  selector: selector.getSelectorFromName('approve'),
  calldata: [toFelt(privacyPool.address), '0x5', '0x0'],
};

/** Service for honest callers and strangers, whose pool may invoke the hostile contract. */
export class PrivateAttackStage {
  readonly honest: PrivateWallet;
  readonly stranger: PrivateWallet;

  private constructor(readonly stack: Stack) {
    this.honest = new PrivateWallet(stack, 'honest');
    this.stranger = new PrivateWallet(stack, 'stranger');
  }

  static async start(env: Readonly<Record<string, string>>): Promise<PrivateAttackStage> {
    const stack = await privateStack({
      env: {
        TRUST_PROXY: '1',
        METRICS_PORT: '0',
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        ...env,
      },
      profile: {
        privacyPool: {
          address: toFelt(privacyPool.address),
          feeTokens: ['STRK'],
          invokedContracts: [toFelt(privacyPool.swap), toFelt(privacyPool.hostile)],
        },
      },
    });
    await stack.service.ready();
    return new PrivateAttackStage(stack);
  }

  /** Payment of the relayer in STRK. */
  fee(amount = ONE) {
    return { to: BigInt(vector.relayer), token: STRK, amount };
  }

  withdrawal(wallet: PrivateWallet, fee = ONE): Promise<PrivateRequest> {
    const payments = [{ to: 0x7e57n, token: STRK, amount: ONE }];
    return wallet.prover.withdraw({ payments, fee: this.fee(fee) });
  }

  /** Proves actions that invoke the hostile contract. */
  hostile(fee = ONE): Promise<PrivateRequest> {
    return this.stranger.prover.invoke({
      payment: { to: privacyPool.hostile, token: STRK, amount: 1n },
      calldata: () => [],
      fee: this.fee(fee),
    });
  }

  send(request: PrivateRequest, caller: Caller, more: object = {}): Promise<Answer> {
    const { poolAddress, calldata, proofFacts, proof } = request;
    const body = { poolAddress, calldata, proofFacts, proof, ...more };
    return this.stack.service.post(PRIVATE_ACTION, body, caller);
  }

  /** Executes a request after signed calls of an account, over the paymaster. */
  executeInvoke(request: PrivateRequest, invoke: object, caller: Caller): Promise<Answer> {
    const method = 'paymaster_executeTransaction';
    const body = { jsonrpc: '2.0', id: 1, method, params: invokeParams(request, invoke) };
    return this.stack.service.post('/paymaster', body, caller);
  }

  /** Signs an approval of the user's account with an unused nonce. */
  async signed({ address, privateKey }: SandboxAccount): Promise<object> {
    const { typedData } = await this.stranger.buildInvoke(address, [APPROVAL]);
    const typed = {
      ...typedData,
      message: {
        ...typedData.message,
        Nonce: toFelt(BigInt(`0x${randomBytes(20).toString('hex')}`)),
      },
    };
    const signer = new Signer(toFelt(privateKey));
    const signature = stark.formatSignature(await signer.signMessage(typed, toFelt(address)));
    return { user_address: toFelt(address), typed_data: typed, signature };
  }

  /** Returns the pool's row in the operator's status. */
  async pool() {
    const as = { authorization: `Bearer ${TOKEN}` };
    const { body } = await this.stack.service.get('/api/operator/status', as);
    const listed: readonly { readonly key: string }[] = Object(body).pools;
    return Object(listed.find(({ key }) => key === 'strk20'));
  }

  /** Resolves when the outcome of every submission of the pool is known. */
  async settled(): Promise<void> {
    await eventually('all submissions to end', async () => {
      const { money } = await this.pool();
      return money.reservedFri === '0';
    });
  }

  /** Sum of the fees of all transactions that the service has sent, in fri. */
  paidFri(): bigint {
    return this.stack.chain.inclusions().reduce((sum, { feeFri }) => sum + feeFri, 0n);
  }
}

/** Returns the number of answers with each code. */
export function countsOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const known = codeOf(answer);
    const code = typeof known === 'string' ? known : String(answer.status);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}
