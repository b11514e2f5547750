import { DomainError } from '@sotto/kernel';
import { NOOP_LIMITS, type NodeParts } from '@sotto/relayer/operation';
import { boundsFor, worstCaseFri, type ChainHead } from '@sotto/submission-core';
import { strk } from '../../commands/lanes.js';
import type { Settings } from '../../environment.js';
import { causeOf } from '../../cause.js';
import { fine, found, type CheckFinding } from '../finding.js';
import type { ConnectedSite } from '../site.js';

type Lane = Settings['lanes'][number];

/** Checks deployment, class, key and balance of every signing account. */
export async function checkAccounts({
  node,
  settings,
  parts,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { lanes, network, relay } = settings;
  const keys = parts.keys();
  const check = node.accountCheck(keys);
  const head = await node.reader().head(lanes.map(({ address }) => address));
  const { gasPrices } = head;
  // Balance that a lane needs before it accepts a call: the maximum cost of the call plus the
  // maximum cost of a no-op. A relay lane may also give STRK to the recipient of a withdrawal.
  const callFri =
    worstCaseFri(boundsFor(network.limits.withdrawalBounds, gasPrices)) +
    worstCaseFri(boundsFor(NOOP_LIMITS, gasPrices));
  const findings = await Promise.all(
    lanes.map(async (lane) => {
      const problem = await problemOf(lane, check);
      const givenFri = lane.role === 'relay' ? relay.recipientGasMaxFri : 0n;
      return problem ?? balanceOf(lane, head, callFri + givenFri);
    }),
  ).finally(() => keys.close());
  // If the signer is unavailable, every account has the same finding. The doctor reports this
  // finding once.
  const wrong = new Map(
    findings.flatMap((finding) => (finding === null ? [] : [[finding.message, finding]])),
  );
  return wrong.size > 0
    ? [...wrong.values()]
    : [fine(`${lanes.length} accounts sign and hold ${strk(callFri)} STRK or more each`)];
}

async function problemOf(
  { address, role }: Lane,
  check: ReturnType<NodeParts['accountCheck']>,
): Promise<CheckFinding | null> {
  try {
    const problem = await check.problemOf(address);
    if (problem === null) return null;
    const code = problem === 'NOT_DEPLOYED' ? 'ACCOUNT_NOT_DEPLOYED' : problem;
    return found(code, { account: address, role });
  } catch (error) {
    switch (error instanceof DomainError ? error.code : '') {
      case 'SIGNER_UNAVAILABLE':
      case 'SIGNER_TIMED_OUT':
      case 'SIGNER_REFUSED':
        return found('SIGNER_UNREACHABLE', { cause: causeOf(error) });
      case 'SIGNER_MALFORMED_ANSWER':
        return found('SIGNER_OF_ANOTHER_CHAIN');
      case 'ACCOUNT_KEY_UNUSABLE':
        return found('SIGNER_WITHOUT_ACCOUNT', { account: address, role });
      default:
        throw error;
    }
  }
}

function balanceOf(
  { address, role }: Lane,
  { accounts }: ChainHead,
  neededFri: bigint,
): CheckFinding | null {
  const account = accounts.get(address);
  if (account === undefined)
    return found('CHECK_FAILED', { check: 'accounts', cause: 'balance not read' });
  const { balanceFri } = account;
  if (balanceFri >= neededFri) return null;
  return found('BALANCE_BELOW_BOUNDS', {
    account: address,
    role,
    balance: strk(balanceFri),
    needed: strk(neededFri),
    // The missing amount is rounded up: a rounded-down amount might not suffice.
    missing: strk(neededFri - balanceFri + FRI_PER_MILLI),
  });
}

const FRI_PER_MILLI = 10n ** 15n;
