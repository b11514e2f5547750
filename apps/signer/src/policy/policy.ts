import { toFelt, type Felt } from '@sotto/kernel';
import { Address, ChainId, EntrypointName } from '@sotto/network-profile';
import { hash } from 'starknet';
import { z } from 'zod';
import { MESSAGES } from '../messages.js';

/** Positions of receiver and amount in the calldata of an entry point that moves ERC-20 tokens. */
interface Movement {
  readonly party: number;
  readonly amount: number;
  /** Total number of felts of the calldata. Null if the calldata ends with a list. */
  readonly felts: number | null;
  /**
   * Positions of further arguments that must be fixed, because they could pass a share to another
   * party.
   */
  readonly alsoPinned: readonly number[];
}

/**
 * Entry points that move ERC-20 tokens. A policy may list such an entry point only with a fixed
 * party and a limited amount. The table applies to both spellings of a name (`transferFrom`,
 * `transfer_from`). Sources: SNIP-2, OpenZeppelin's ERC-20 for Cairo, and AVNU's router.
 */
const MOVEMENTS: Readonly<Record<string, Movement>> = {
  transfer: { party: 0, amount: 1, felts: 3, alsoPinned: [] },
  approve: { party: 0, amount: 1, felts: 3, alsoPinned: [] },
  increase_allowance: { party: 0, amount: 1, felts: 3, alsoPinned: [] },
  transfer_from: { party: 1, amount: 2, felts: 4, alsoPinned: [] },
  multi_route_swap: { party: 8, amount: 1, felts: null, alsoPinned: [0, 3, 9] },
};

/**
 * Entry points that pass control of an account, a contract or ERC-20 tokens to another party, with
 * any arguments. No policy may list such an entry point, in any spelling or version.
 */
const NEVER = new Set([
  'upgrade',
  'upgrade_to',
  'replace_class',
  'replace_implementation',
  'set_implementation',
  'set_public_key',
  'execute',
  'execute_from_outside',
  'change_owner',
  'change_owners',
  'add_owner',
  'add_owners',
  'set_owner',
  'set_admin',
  'add_signer',
  'change_guardian',
  'change_guardians',
  'trigger_escape_owner',
  'escape_owner',
  'register_session',
  'transfer_ownership',
  'renounce_ownership',
  'accept_ownership',
  'grant_role',
  'permit',
  'set_approval_for_all',
  'safe_transfer_from',
  'safe_batch_transfer_from',
]);

/**
 * Normalises the name of an entry point: `transferFrom`, `transfer_from` and `__transfer_from_v2__`
 * become equal.
 */
const plain = (entrypoint: string): string =>
  entrypoint
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
    .replaceAll(/^_+|_+$/g, '')
    .replace(/_v\d+$/, '');

const Text = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, 'must be a whole number, as text')
  .transform(BigInt);
const Limits = z
  .strictObject({ perHourFri: Text, perDayFri: Text })
  .refine(
    ({ perHourFri, perDayFri }) => perHourFri <= perDayFri,
    'perHourFri must be at most perDayFri',
  );
const Bound = z.strictObject({ maxAmount: Text, maxPriceFri: Text });
const FeltText = z
  .string()
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,62})$/, 'must be a felt: 0x, lower case, no leading zeros')
  .transform((text): Felt => toFelt(text));
const Index = z.string().regex(/^(0|[1-9]\d{0,3})$/, 'must be the index of an argument');

const CallRule = z
  .strictObject({
    contract: Address,
    entrypoint: EntrypointName,
    opaque: z.literal(true).exactOptional().meta({
      description: 'The calldata is not checked: the contract must protect itself.',
    }),
    felts: z.int().min(0).max(8_192).exactOptional().meta({
      description: 'Length of the calldata, in felts.',
    }),
    arguments: z.record(Index, z.array(FeltText).min(1).max(200)).exactOptional().meta({
      description: 'Allowed values of single felts of the calldata, by index.',
    }),
    amount: z
      .strictObject({ at: z.int().min(0).max(8_190), most: Text, perDay: Text })
      .exactOptional()
      .meta({
        description: 'Limits of the u256 at this index, per transaction and per day.',
      }),
  })
  .superRefine((rule, context) => {
    for (const message of problemsOfRule(rule)) context.addIssue({ code: 'custom', message });
  })
  .transform(
    ({ opaque = false, felts = null, arguments: pinned = {}, amount = null, ...rest }) => ({
      ...rest,
      selector: selectorOf(rest.entrypoint),
      opaque,
      felts,
      arguments: new Map(
        Object.entries(pinned).map(([index, values]) => [Number(index), new Set<Felt>(values)]),
      ),
      amount,
    }),
  );
export type CallRule = z.output<typeof CallRule>;

const movesTokens = ({ entrypoint }: CallRule): boolean =>
  Object.hasOwn(MOVEMENTS, plain(entrypoint));

function* problemsOfRule({
  entrypoint,
  opaque,
  felts,
  arguments: pinned,
  amount,
}: {
  readonly entrypoint: string;
  readonly opaque?: true;
  readonly felts?: number;
  readonly arguments?: Readonly<Record<string, readonly Felt[]>>;
  readonly amount?: { readonly at: number };
}): Iterable<string> {
  const name = plain(entrypoint);
  if (NEVER.has(name)) yield `${entrypoint} transfers control of an account or a contract`;
  if (opaque === (felts !== undefined || pinned !== undefined || amount !== undefined))
    yield 'must either be opaque or limit the calldata, and not both';
  const movement = Object.hasOwn(MOVEMENTS, name) ? MOVEMENTS[name] : undefined;
  if (opaque === undefined && felts === undefined && movement?.felts !== null)
    yield 'must contain the number of felts of the calldata';
  if (movement === undefined) return;
  for (const index of [movement.party, ...movement.alsoPinned])
    if (pinned?.[String(index)] === undefined)
      yield `${entrypoint} must have its argument ${index} listed`;
  if (amount?.at !== movement.amount)
    yield `${entrypoint} must have the amount at ${movement.amount} limited`;
  if (movement.felts !== null && felts !== movement.felts)
    yield `${entrypoint} has ${movement.felts} felts`;
}

const Account = z.strictObject({
  address: Address,
  messages: z.array(z.enum(MESSAGES)).default([]),
  calls: z
    .array(CallRule)
    .max(1_000)
    .refine(
      (rules) =>
        new Set(rules.map(({ contract, selector }) => `${contract}.${selector}`)).size ===
        rules.length,
      'lists one entry point of one contract twice',
    )
    .refine((rules) => {
      const tokens = new Set(rules.filter(movesTokens).map(({ contract }) => contract));
      return !rules.some(({ contract, opaque }) => opaque && tokens.has(contract));
    }, 'a contract whose tokens are moved also has an opaque call'),
  bounds: z.strictObject({
    l2Gas: Bound,
    l1Gas: Bound,
    l1DataGas: Bound,
    maxTipFri: Text.default(0n),
  }),
  budget: Limits.exactOptional(),
});
export type AccountPolicy = z.output<typeof Account>;

/**
 * Limits of STRK that withdrawals give to their recipients. With these limits, the listed
 * `withdraw` of a pool may be followed by a transfer to the recipient in its proof.
 */
const RecipientGas = z.strictObject({
  token: Address.meta({ description: 'STRK token.' }),
  most: Text.meta({ description: 'Maximum of one transaction, in fri.' }),
  perHourFri: Text.meta({ description: 'Maximum of all accounts in an hour, in fri.' }),
});

/**
 * Limits of the calls before private actions. With these limits, the listed `apply_actions` of the
 * pool may be preceded by an approval of the pool's fee, and by an outside execution.
 */
const PrivateActions = z.strictObject({
  pool: Address.meta({ description: 'Privacy pool (STRK20).' }),
  token: Address.meta({ description: 'STRK token.' }),
  most: Text.meta({ description: 'Maximum approval of one transaction to the pool, in fri.' }),
  perHourFri: Text.meta({ description: 'Maximum of all accounts in an hour, in fri.' }),
  outsideExecutions: z.boolean().meta({
    description: 'Permits `execute_from_outside_v2` of any account outside of the policy.',
  }),
});

/** Complete list of the requests that are signed. All other requests are rejected. */
export const Policy = z
  .strictObject({
    version: z.literal(1),
    chainId: ChainId,
    budget: Limits,
    recipientGas: RecipientGas.exactOptional(),
    privateActions: PrivateActions.exactOptional(),
    accounts: z.array(Account).min(1).max(200),
  })
  .superRefine(({ accounts, recipientGas, privateActions }, context) => {
    const sections = Object.entries({ recipientGas, privateActions });
    for (const [name, section] of sections) {
      const isOpaque = accounts.some(({ calls }) =>
        calls.some(({ contract, opaque }) => opaque && contract === section?.token),
      );
      if (isOpaque)
        context.addIssue({
          code: 'custom',
          message: `the token of ${name} also has an opaque call`,
        });
    }
    if (privateActions !== undefined && privateActions.pool === privateActions.token)
      context.addIssue({ code: 'custom', message: 'the pool of privateActions is its token' });
    const called = [privateActions?.pool, ...sections.map(([, section]) => section?.token)];
    const own = accounts.map(({ address }) => address);
    if (new Set(own).size !== own.length)
      context.addIssue({ code: 'custom', message: 'an address is listed twice' });
    if (
      called.some((contract) => contract !== undefined && own.includes(contract)) ||
      accounts.some(({ calls }) => calls.some(({ contract }) => own.includes(contract)))
    )
      context.addIssue({ code: 'custom', message: 'an account of the policy is called' });
  });
export type Policy = z.output<typeof Policy>;
export type PolicyFile = z.input<typeof Policy>;

/** Returns the selector of an entry point. */
export function selectorOf(entrypoint: string): Felt {
  return toFelt(hash.getSelectorFromName(entrypoint));
}
