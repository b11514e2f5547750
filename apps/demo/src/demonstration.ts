import type { World } from './sites/site.js';
import { say } from './console.js';
import type { DemoResult } from './report.js';
import { postWithdrawal } from './service-client.js';
import type { Sites } from './sites/sites.js';
import { Node } from './wallet/node.js';
import { Wallet, type WithdrawalBody } from './wallet/wallet.js';

/**
 * Runs one withdrawal, from the creation of the note to the recipient's balance.
 * @throws Error if the service's response has no transaction
 */
export async function demonstrate(
  { world, rpcUrl, baseUrl }: Pick<Sites, 'world' | 'rpcUrl' | 'baseUrl'>,
  startedAtMs: number,
): Promise<{ readonly result: DemoResult; readonly submissionPath: string }> {
  const node = new Node(rpcUrl);
  const { accounts, tokens } = world;
  const balances = async (): Promise<readonly [bigint, bigint]> => [
    await node.balance(tokens.WBTC.address, accounts.recipient1.address),
    await node.balance(tokens.WBTC.address, accounts.feeCollector.address),
  ];
  const body = await provenWithdrawal(node, world, accounts.recipient1.address);
  const [recipientBefore, earnedBefore] = await balances();

  say('posting the proof to the relayer');
  const answer = await postWithdrawal(baseUrl, body);
  const seconds = (Date.now() - startedAtMs) / 1000;

  const included = answer.execution_status !== 'UNKNOWN';
  const [recipientAfter, earnedAfter] = await balances();
  return {
    submissionPath: answer.location,
    result: {
      transactionHash: answer.transaction_hash,
      executionStatus: answer.execution_status,
      revertReason: answer.revert_reason,
      feeSats: earnedAfter - earnedBefore,
      gasFri: included ? await node.feePaid(answer.transaction_hash) : 0n,
      recipientBefore,
      recipientAfter,
      seconds,
    },
  };
}

/** Deposits a second note and proves its withdrawal, but does not send the withdrawal. */
export function prepareAnother({
  world,
  rpcUrl,
}: Pick<Sites, 'world' | 'rpcUrl'>): Promise<WithdrawalBody> {
  return provenWithdrawal(new Node(rpcUrl), world, world.accounts.recipient2.address);
}

async function provenWithdrawal(
  node: Node,
  world: World,
  recipient: bigint,
): Promise<WithdrawalBody> {
  const wallet = new Wallet(node, world);
  return wallet.withdrawal({
    recipient,
    relayer: world.accounts.feeCollector.address,
    feeAmount: await wallet.fee(),
  });
}
