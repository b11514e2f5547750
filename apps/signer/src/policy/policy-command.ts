import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toFelt, type Felt } from '@sotto/kernel';
import { NetworkProfile, feltOrNull } from '@sotto/network-profile';
import { attempt } from '@sotto/settings';
import { z } from 'zod';
import { draftPolicy } from './draft-policy.js';

const USAGE = `usage: sotto-signer                      runs the signer
       sotto-signer policy [options]     prints a draft of its policy

  --profile <file>          the network profile
  --relay <0x…,0x…>         accounts of RELAY_ACCOUNTS, in their order
  --per-hour-fri <n>        maximum signed in an hour, all accounts together: the sum of the
                            transactions’ bounds, which are many times their cost
  --per-day-fri <n>         the same for a day
  --swap-owner <0x…>        account of SWAP_OWNER_ACCOUNT
  --curator <0x…>           account of CURATOR_ACCOUNT
  --keepers <0x…,0x…>       accounts of KEEPER_ACCOUNTS
  --treasury <0x…>          account of TREASURY_ACCOUNT
  --top-up-per-day-fri <n>  maximum that the treasury sends to the other accounts in a day
  --recipient-gas-per-hour-fri <n>  maximum that withdrawals give to their recipients in an
                            hour, at most 1 STRK each; without it they give nothing
  --pool-fees-per-hour-fri <n>  maximum that private actions pay to the privacy pool in an hour,
                            each at most maxPoolFeeFri of the profile; without it
                            they pay no fee
  --repay-per-day-usdc <n>  maximum that it sends to leveraged vaults in a day
  --sell-per-day <WBTC=n>   maximum of fees that it sells in a day; may be repeated
  --deposits                allows relayed deposits: read docs/signer.md first
`;
const WRONG_USAGE = 2;

const OPTIONS = {
  profile: { type: 'string' },
  relay: { type: 'string' },
  'per-hour-fri': { type: 'string' },
  'per-day-fri': { type: 'string' },
  'swap-owner': { type: 'string' },
  curator: { type: 'string' },
  keepers: { type: 'string' },
  treasury: { type: 'string' },
  'top-up-per-day-fri': { type: 'string' },
  'recipient-gas-per-hour-fri': { type: 'string' },
  'pool-fees-per-hour-fri': { type: 'string' },
  'repay-per-day-usdc': { type: 'string' },
  'sell-per-day': { type: 'string', multiple: true },
  deposits: { type: 'boolean' },
} as const;

/** Prints a drafted policy or the usage. @returns the exit code */
export function policyCommand(command: string, args: readonly string[]): number {
  const asked =
    command === 'policy' ? attempt(() => parseArgs({ args: [...args], options: OPTIONS })) : null;
  const draft = asked === null ? null : attempt(() => draftOf(asked.values));
  if (draft === null) {
    process.stderr.write(USAGE);
    return WRONG_USAGE;
  }
  process.stdout.write(`${JSON.stringify(draft, null, 2)}\n`);
  return 0;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function draftOf(values: Values): object {
  const json: unknown = JSON.parse(readFileSync(values.profile ?? '', 'utf8'));
  const { chainId } = z.object({ chainId: z.string() }).parse(json);
  return draftPolicy(chainId, NetworkProfile.parse(json), {
    relay: list(values.relay ?? ''),
    swapOwner: one(values['swap-owner']),
    curator: one(values.curator),
    keepers: values.keepers === undefined ? [] : list(values.keepers),
    treasury: one(values.treasury),
    deposits: values.deposits ?? false,
    budget: {
      perHourFri: String(BigInt(values['per-hour-fri'] ?? 'missing')),
      perDayFri: String(BigInt(values['per-day-fri'] ?? 'missing')),
    },
    recipientGasPerHourFri: BigInt(values['recipient-gas-per-hour-fri'] ?? '0'),
    poolFeesPerHourFri: BigInt(values['pool-fees-per-hour-fri'] ?? '0'),
    topUpPerDayFri: BigInt(values['top-up-per-day-fri'] ?? '0'),
    repayPerDay: BigInt(values['repay-per-day-usdc'] ?? '0'),
    soldPerDay: new Map(
      (values['sell-per-day'] ?? []).map((text) => {
        const [symbol = '', amount = 'missing'] = text.split('=');
        return [symbol, BigInt(amount)] as const;
      }),
    ),
  });
}

const one = (text: string | undefined): Felt | null => (text === undefined ? null : address(text));
const list = (text: string): readonly Felt[] => text.split(',').map((part) => address(part.trim()));

function address(text: string): Felt {
  const felt = feltOrNull(text);
  if (felt === null || felt === '0x0') throw new Error('no address');
  return toFelt(felt);
}
