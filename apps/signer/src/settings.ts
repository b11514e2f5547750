import { readFileSync } from 'node:fs';
import { Address, PrivateKey, isSampleKey } from '@sotto/network-profile';
import {
  InvalidConfiguration,
  Secret,
  attempt,
  jsonText,
  optional,
  placeOf,
  readVariables,
  required,
  rulesOver,
  secret,
  withDefault,
  type ConfigSources,
} from '@sotto/settings';
import { z } from 'zod';
import {
  isExposed,
  isFolderOpen,
  isReplaceable,
  permissionsOf,
  type PermissionsOf,
} from './exposure.js';
import { Policy } from './policy/policy.js';
import type { Place } from './server/listen.js';

const Keys = jsonText('[{"address": "0x…", "privateKey": "0x…"}]').pipe(
  z
    .array(
      z
        .strictObject(
          { address: Address, privateKey: PrivateKey },
          // The error does not repeat unknown field names, because an operator may have written a
          // key as a name.
          {
            error: ({ code }) =>
              code === 'unrecognized_keys'
                ? 'must have no fields but address and privateKey'
                : 'must be an object',
          },
        )
        .transform(({ address, privateKey }) => ({
          address,
          privateKey: new Secret(privateKey),
          isSample: isSampleKey(privateKey),
        })),
      'must be an array of accounts',
    )
    .min(1)
    .max(200)
    .refine(
      (accounts) => new Set(accounts.map(({ address }) => address)).size === accounts.length,
      'an address is listed twice',
    ),
);

const Listen = z
  .string('is required')
  .refine(
    (text) =>
      /^unix:\/[^?#]+$/.test(text) ||
      (URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).port !== ''),
    'must be unix:/path/of/the/socket, or https://address:port',
  );
const Pem = z
  .string()
  .regex(/-----BEGIN [A-Z ]+-----[^]+-----END [A-Z ]+-----/, 'must be PEM')
  .transform((text) => new Secret(text));

export type { Permissions } from './exposure.js';

/** Environment variables of the signer. The signer reads no variable of the service. */
export const VARIABLES = {
  MODE: withDefault(
    null,
    z.enum(['production', 'development'], 'must be production or development'),
    'production',
    'In `production` the signer does not start with a sample key, with a file of secrets that another user than its owner may read, or with a file or folder that another user may write.',
  ),
  SIGNER_LISTEN: required(
    null,
    Listen,
    'Address on which the signer listens: `unix:/run/sotto-signer/signer.sock`, or `https://10.0.0.2:8443` with certificates on both sides.',
  ),
  SIGNER_SOCKET_MODE: withDefault(
    null,
    z.enum(['600', '660'], 'must be 600 or 660').transform((text) => Number.parseInt(text, 8)),
    '600',
    'Permissions of the socket’s file. Use `660` if the service runs as another user of the same group, which is recommended.',
  ),
  SIGNER_TRUSTED_GROUP: optional(
    null,
    z
      .string()
      .regex(/^\d{1,10}$/, 'must be the number of a group')
      .transform(Number),
    'Number of a group that may read the files of secrets and write the folders, such as `fsGroup` of Kubernetes. The service must not be in this group.',
    'none',
  ),
  SIGNER_KEYS: secret(
    required(
      null,
      Keys,
      'Keys of the accounts: a JSON array of {"address", "privateKey"} with one entry for each account of the policy. Secret.',
    ),
  ),
  SIGNER_POLICY: required(
    null,
    z.string('is required').min(1),
    'Path of the policy’s file; `sotto-signer policy` writes a draft.',
  ),
  SIGNER_BOOK_PATH: withDefault(
    null,
    z.string().min(1),
    'sotto-signer.sqlite',
    'File of the book, which records signatures and the spent budget. No other signer may use it; without it the budget begins again.',
  ),
  SIGNER_TLS_CERT: secret(
    optional(null, Pem, 'The signer’s certificate, in PEM. Required with https.', 'none'),
  ),
  SIGNER_TLS_KEY: secret(
    optional(
      null,
      Pem,
      'Private key of the signer’s certificate, in PEM. Required with https. Secret.',
      'none',
    ),
  ),
  SIGNER_TLS_CLIENT_CA: secret(
    optional(
      null,
      Pem,
      'Certificate of the authority that issues the callers’ certificates, in PEM. Every holder of such a certificate may request signatures. Required with https.',
      'none',
    ),
  ),
} as const;

const isSecure = (listen: string): boolean => listen.startsWith('https:');
const rule = rulesOver<typeof VARIABLES>();
const RULES = [
  rule(
    ['MODE', 'SIGNER_KEYS'],
    'a sample key is set here: in production every key must be your own',
    ({ MODE, SIGNER_KEYS }) =>
      MODE === 'development' || SIGNER_KEYS.every(({ isSample }) => !isSample),
  ),
  ...(['SIGNER_TLS_CERT', 'SIGNER_TLS_KEY', 'SIGNER_TLS_CLIENT_CA'] as const).map((name) =>
    rule(
      ['SIGNER_LISTEN', name],
      'is required with https',
      ({ SIGNER_LISTEN, [name]: value }) => value !== undefined || !isSecure(SIGNER_LISTEN),
    ),
  ),
];

export type SignerSettings = ReturnType<typeof loadSettings>;

/** Sources of the settings and of file permissions. */
export interface SettingsSources extends Omit<ConfigSources, 'modeOf'> {
  /** @default reads the file system */
  readonly permissionsOf?: PermissionsOf;
  /** @default the user and group of this process */
  readonly process?: { readonly uid: number; readonly gid: number };
}

/** Reads all settings. @throws InvalidConfiguration with all problems at once */
export function loadSettings(sources: SettingsSources) {
  const { readFile = (path) => readFileSync(path, 'utf8') } = sources;
  const { values, problems: found, texts } = readVariables(VARIABLES, RULES, sources);
  const problems = [...found];
  const path = texts['SIGNER_POLICY'];
  const policy = path === undefined ? null : readPolicy(path, readFile, problems);
  if (values !== null && values.MODE !== 'development')
    problems.push(...openPlaces(values, texts, sources));
  if (values !== null && policy !== null) {
    const held = values.SIGNER_KEYS.map(({ address }) => address);
    const listed = policy.accounts.map(({ address }) => address);
    if (!listed.every((address) => held.includes(address)))
      problems.push('SIGNER_KEYS: lacks the key of an account of the policy');
    if (!held.every((address) => listed.includes(address)))
      problems.push('SIGNER_KEYS: has a key of an account that the policy does not list');
  }
  if (values === null || policy === null || problems.length > 0)
    throw new InvalidConfiguration(problems);
  return {
    policy,
    keys: values.SIGNER_KEYS,
    bookPath: values.SIGNER_BOOK_PATH,
    place: placeIn(values),
  };
}

/**
 * Returns a problem for each file that the service or another user of this machine could read,
 * change or replace.
 */
function openPlaces(
  values: {
    readonly SIGNER_LISTEN: string;
    readonly SIGNER_SOCKET_MODE: number;
    readonly SIGNER_TRUSTED_GROUP: number | undefined;
    readonly SIGNER_BOOK_PATH: string;
  },
  texts: Readonly<Record<string, string | undefined>>,
  {
    permissionsOf: find = permissionsOf,
    process: { uid, gid } = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 },
  }: SettingsSources,
): readonly string[] {
  const problems: string[] = [];
  const { SIGNER_LISTEN: listen, SIGNER_TRUSTED_GROUP: trustedGroup = null } = values;
  const owner = { uid, trustedGroup };
  const secrets = Object.entries(VARIABLES).flatMap(
    ([name, { mayBeFile }]): readonly (readonly [string, string])[] => {
      const path = mayBeFile ? texts[`${name}_FILE`] : undefined;
      return path === undefined ? [] : [[`${name}_FILE`, path]];
    },
  );
  for (const [name, path] of secrets)
    if (isExposed(path, owner, find))
      problems.push(
        `${name}: others than the signer’s user may read the file; make it 0600, or name its group in SIGNER_TRUSTED_GROUP`,
      );
  if (isExposed(values.SIGNER_BOOK_PATH, owner, find))
    problems.push('SIGNER_BOOK_PATH: others than the signer’s user may read the file');
  const places: readonly (readonly [string, string | undefined])[] = [
    ...secrets,
    ['SIGNER_POLICY', texts['SIGNER_POLICY']],
    ['SIGNER_BOOK_PATH', values.SIGNER_BOOK_PATH],
  ];
  for (const [name, path] of places)
    if (path !== undefined && isReplaceable(path, owner, find))
      problems.push(`${name}: others than the signer’s user may write there`);
  // Only the folder of the socket is checked. A killed signer may leave a socket with the mode that
  // callers need; this file is replaced.
  if (!isSecure(listen) && isFolderOpen(listen.slice('unix:'.length), owner, find))
    problems.push('SIGNER_LISTEN: others than the signer’s user may write there');
  if (trustedGroup === gid && !isSecure(listen) && values.SIGNER_SOCKET_MODE !== 0o600)
    problems.push('SIGNER_TRUSTED_GROUP: is the group of those that the socket is open to');
  return problems;
}

function placeIn({
  SIGNER_LISTEN: listen,
  SIGNER_SOCKET_MODE: mode,
  SIGNER_TLS_CERT: cert,
  SIGNER_TLS_KEY: key,
  SIGNER_TLS_CLIENT_CA: clientCa,
}: {
  readonly SIGNER_LISTEN: string;
  readonly SIGNER_SOCKET_MODE: number;
  readonly SIGNER_TLS_CERT: Secret | undefined;
  readonly SIGNER_TLS_KEY: Secret | undefined;
  readonly SIGNER_TLS_CLIENT_CA: Secret | undefined;
}): Place {
  if (cert === undefined || key === undefined || clientCa === undefined || !isSecure(listen))
    return { kind: 'unix', path: listen.slice('unix:'.length), mode };
  const { hostname, port } = new URL(listen);
  return {
    kind: 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    tls: { cert: cert.reveal(), key: key.reveal(), clientCa: clientCa.reveal() },
  };
}

function readPolicy(
  path: string,
  readFile: (path: string) => string,
  problems: string[],
): Policy | null {
  const text = attempt(() => readFile(path));
  if (text === null) {
    problems.push('SIGNER_POLICY: the file cannot be read');
    return null;
  }
  const json: unknown = attempt(() => JSON.parse(text));
  const policy = Policy.safeParse(json);
  for (const issue of policy.error?.issues ?? []) {
    const { path: at } = issue;
    problems.push(`SIGNER_POLICY: ${at.length === 0 ? '' : `${placeOf(at)}: `}${messageOf(issue)}`);
  }
  return policy.data ?? null;
}

/**
 * Returns the message of a policy error. Unknown names are repeated only if they consist of
 * letters, because the file may contain keys, even as names.
 */
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys' && !issue.keys.every((name) => /^[a-z]{1,20}$/i.test(name))
    ? 'has members that are not known'
    : issue.message;
