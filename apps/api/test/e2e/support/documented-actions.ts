import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { addressText } from './notes.js';
import { PrivateWallet } from './private-actions.js';
import type { Stack } from './stack.js';

/** Selector of `apply_actions`. */
const APPLY_ACTIONS = '0x246333a752c1ac637ff1591c5c885e27d56060d241a29aad8475072da0777db';

/** Proves the private actions that the commands of a page send, as a reader's wallet would. */
export class DocumentedActions {
  readonly #wallet: PrivateWallet;

  /** @param folder folder in which the commands run */
  constructor(
    stack: Stack,
    private readonly folder: string,
  ) {
    this.#wallet = new PrivateWallet(stack, 'documents');
  }

  /** Writes `execute.json` and `actions.json`. @param amount fee in fri, as hex */
  async write(amount: string): Promise<void> {
    const token = sandboxWorld.tokens.STRK.address;
    const prove = (): Promise<PrivateRequest> =>
      this.#wallet.prover.transfer({
        token,
        fee: this.#wallet.feeOf({ token, amount: BigInt(amount) }),
      });
    const { poolAddress, calldata, proofFacts, proof } = await prove();
    const executed = await prove();
    const bodies = {
      'actions.json': { poolAddress, calldata, proofFacts, proof },
      'execute.json': {
        jsonrpc: '2.0',
        id: 1,
        method: 'paymaster_executeTransaction',
        params: {
          transaction: {
            type: 'apply_action',
            apply_action: {
              apply_actions_call: {
                to: poolAddress,
                selector: APPLY_ACTIONS,
                calldata: executed.calldata,
              },
              proof: executed.proof,
              proof_facts: executed.proofFacts,
            },
          },
          parameters: {
            version: '0x1',
            fee_mode: { mode: 'default', gas_token: addressText({ address: token }) },
          },
        },
      },
    };
    for (const [name, body] of Object.entries(bodies))
      writeFileSync(join(this.folder, name), JSON.stringify(body));
  }

  /** Resolves when an accepted block contains the transaction with this tracking id. */
  async accepted(trackingId: string): Promise<void> {
    await eventually('the private actions to be accepted', async () => {
      const params = { tracking_id: trackingId };
      const response = await this.#wallet.call('paymaster_trackingIdToLatestHash', params);
      return Object(response).result?.status === 'accepted';
    });
  }
}
