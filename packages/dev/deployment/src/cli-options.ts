import { parseArgs } from 'node:util';
import { FIELD_PRIME } from '@sotto/kernel';
import { z } from 'zod';

/** Error for an invalid command line or environment variable, with a message for the user. */
export class UsageError extends Error {}

const USAGE = `usage: npm run deploy -- --rpc-url <url> --profile <file> [--accounts <file>] [--name <name>] [--salt <text>] [--strk-each <whole STRK>] [--learnt-from <url of a running service>]

  DEPLOYER_ADDRESS, DEPLOYER_PRIVATE_KEY   the account that pays and owns the stack
  VERIFIER_ADDRESS                         a verifier that is already deployed,
  VERIFIER_CLASS                           or the hash of a declared class,
  VERIFIER_SIERRA and VERIFIER_CASM        or files of a class to declare; without any, one that checks no pairing
  ECIP_SIERRA and ECIP_CASM                files of the library that Garaga's verifiers call, declared where it is missing
  ACCOUNT_CLASS                            class of the stack's accounts; the deployer's own without it`;

const Felt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'must be 0x-prefixed hex')
  .transform(BigInt)
  .refine((value) => value > 0n && value < FIELD_PRIME, 'must be a felt, and not zero');
const File = z.string().min(1);

const Options = z
  .object({
    'rpc-url': z.url('must be a URL'),
    profile: File,
    accounts: File.optional(),
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, underscores and dashes')
      .default('development'),
    salt: z.string().min(1).optional(),
    'learnt-from': z.url('must be a URL').optional(),
    'strk-each': z.coerce.number().int().min(1).max(1_000_000).optional(),
    DEPLOYER_ADDRESS: Felt,
    DEPLOYER_PRIVATE_KEY: Felt,
    VERIFIER_ADDRESS: Felt.optional(),
    VERIFIER_CLASS: Felt.optional(),
    VERIFIER_SIERRA: File.optional(),
    VERIFIER_CASM: File.optional(),
    ECIP_SIERRA: File.optional(),
    ECIP_CASM: File.optional(),
    ACCOUNT_CLASS: Felt.optional(),
  })
  .refine(
    ({ VERIFIER_SIERRA: sierra, VERIFIER_CASM: casm }) =>
      (sierra === undefined) === (casm === undefined),
    {
      path: ['VERIFIER_SIERRA'],
      message: 'goes with VERIFIER_CASM',
    },
  )
  .refine(
    ({ ECIP_SIERRA: sierra, ECIP_CASM: casm }) => (sierra === undefined) === (casm === undefined),
    {
      path: ['ECIP_SIERRA'],
      message: 'goes with ECIP_CASM',
    },
  )
  .refine(
    ({ VERIFIER_ADDRESS, VERIFIER_CLASS, VERIFIER_SIERRA }) =>
      countOf(VERIFIER_ADDRESS, VERIFIER_CLASS, VERIFIER_SIERRA) <= 1,
    {
      path: ['VERIFIER_CLASS'],
      message: 'there is one verifier: an address, a class or files',
    },
  );

/** Options from the command line and the environment. */
export type CliOptions = z.output<typeof Options>;

const FLAGS = [
  'rpc-url',
  'profile',
  'accounts',
  'name',
  'salt',
  'strk-each',
  'learnt-from',
] as const;
const VARIABLES = [
  'DEPLOYER_ADDRESS',
  'DEPLOYER_PRIVATE_KEY',
  'VERIFIER_ADDRESS',
  'VERIFIER_CLASS',
  'VERIFIER_SIERRA',
  'VERIFIER_CASM',
  'ECIP_SIERRA',
  'ECIP_CASM',
  'ACCOUNT_CLASS',
] as const;

/**
 * Parses the options. @throws UsageError with the names of the invalid options, but never with a
 * variable's value
 */
export function readCliOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CliOptions {
  const variables = VARIABLES.map((name) => [name, env[name] === '' ? undefined : env[name]]);
  const parsed = Options.safeParse({ ...flagsOf(args), ...Object.fromEntries(variables) });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, code, message }) =>
      `  ${path.join('.')}: ${code === 'invalid_type' ? 'is missing' : message}`,
  );
  throw new UsageError(`${problems.join('\n')}\n\n${USAGE}`);
}

function flagsOf(args: readonly string[]): Readonly<Record<string, unknown>> {
  const options = Object.fromEntries(FLAGS.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    throw new UsageError(
      `${cause instanceof Error ? cause.message : 'unreadable arguments'}\n\n${USAGE}`,
      { cause },
    );
  }
}

function countOf(...values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length;
}
