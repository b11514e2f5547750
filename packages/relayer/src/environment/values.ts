import { TASK_NAMES, type TaskName } from '@sotto/facts';
import { quarterOf, type Felt } from '@sotto/kernel';
import { Address, ChainId, PrivateKey, feltOrNull, isSampleKey } from '@sotto/network-profile';
import { BearerToken, Secret, SecretUrl, jsonText } from '@sotto/settings';
import type { AcceptedAccounts } from '@sotto/submission-core';
import { SigningKey, WEBHOOK_EVENTS } from '@sotto/webhook-core';
import { z } from 'zod';

const KeyedAccount = z
  .strictObject(
    { address: Address, privateKey: PrivateKey.optional() },
    // Error texts do not repeat names of unknown fields, because an operator may have written a key
    // where a field name belongs.
    {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? 'must have no fields but address and privateKey'
          : 'must be an object',
    },
  )
  .transform(({ address, privateKey }) => ({
    address,
    /** Private key of the account; null if a signer holds the key. */
    privateKey: privateKey === undefined ? null : new Secret(privateKey),
    isSample: privateKey !== undefined && isSampleKey(privateKey),
  }));

/** Parses an account that signs. */
export const SigningAccount = jsonText('{"address": "0x…", "privateKey": "0x…"}').pipe(
  KeyedAccount,
);

/** Parses the accounts of one lane role. */
export const SigningAccounts = jsonText('[{"address": "0x…", "privateKey": "0x…"}]').pipe(
  z
    .array(KeyedAccount, 'must be an array of accounts')
    .min(1, 'must have at least one account')
    .max(50)
    .refine(
      (accounts) => new Set(accounts.map(({ address }) => address)).size === accounts.length,
      'an address is listed twice',
    ),
);

/**
 * Parses the address of a signer. The address is secret, because such addresses may name machines.
 */
export const SignerUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && (/^unix:\/[^?#]*$/.test(text) || new URL(text).protocol === 'https:'),
    'must be unix:/path/of/the/socket or an https URL',
  )
  .transform((text) => new Secret(text));

/** Parses a text in PEM format. */
export const Pem = z
  .string()
  .regex(/-----BEGIN [A-Z ]+-----[^]+-----END [A-Z ]+-----/, 'must be PEM')
  .transform((text) => new Secret(text));

/** Parses reasons of pauses by pool, as JSON. */
export const PausedPools = z.string().transform((text, context): ReadonlyMap<string, string> => {
  try {
    const reasons = z
      .record(z.string().min(1).max(40), z.string().min(1).max(200))
      .parse(JSON.parse(text));
    return new Map(Object.entries(reasons));
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'must be JSON: {"pool key": "reason"}, reasons of at most 200 characters',
    });
    return z.NEVER;
  }
});

/** Parses addresses separated by commas, without duplicates. */
export const Addresses = z.string().transform((text, context): readonly Felt[] => {
  const parts = text.split(',');
  const known = parts.flatMap((part) => addressIn(part.trim()) ?? []);
  if (known.length === parts.length && new Set(known).size === known.length) return known;
  context.addIssue({
    code: 'custom',
    message: 'must be addresses separated by commas, none of them twice',
  });
  return z.NEVER;
});

function addressIn(text: string): Felt | null {
  const felt = feltOrNull(text);
  return felt === '0x0' ? null : felt;
}

const FORM =
  'must be <chain id>:<account>:<nonce>, separated by commas, as `npm run accept-ledger` prints it; true and false do not name the checked accounts and nonces';
const NONCE = /^\d{1,20}$/;

/**
 * Parses accepted accounts with their nonces, such as `SN_MAIN:0x1a2b…:7,SN_MAIN:0x3c4d…:0`. All
 * entries must name the same chain, and each account appears once.
 */
export const AcceptedLedger = z.string().transform((text, context): AcceptedAccounts => {
  const parts = text.split(',');
  const accounts = parts.flatMap((part) => acceptedAccount(part.trim()) ?? []);
  const [first] = accounts;
  const ofOneChain = accounts.filter(({ chainId }) => chainId === first?.chainId);
  const nonces = new Map(ofOneChain.map(({ address, nonce }) => [address, nonce]));
  if (first !== undefined && nonces.size === parts.length)
    return { chainId: first.chainId, nonces };
  context.addIssue({ code: 'custom', message: FORM });
  return z.NEVER;
});

function acceptedAccount(
  text: string,
): { readonly chainId: Felt; readonly address: Felt; readonly nonce: bigint } | null {
  const [chain = '', account = '', nonce = '', ...more] = text.split(':');
  const chainId = ChainId.safeParse(chain);
  const address = addressIn(account);
  if (!chainId.success || address === null || !NONCE.test(nonce) || more.length > 0) return null;
  return { chainId: chainId.data, address, nonce: BigInt(nonce) };
}

const isTask = (name: string): name is TaskName => TASK_NAMES.some((task) => task === name);
const NO_TASKS = `must be tasks separated by commas, none of them twice: ${TASK_NAMES.join(', ')}`;

/** Parses names of the keeper's tasks. */
export const TaskNames = z.string().transform((text, context): readonly TaskName[] => {
  const parts = text.split(',').map((part) => part.trim());
  const tasks = parts.filter(isTask);
  if (tasks.length === parts.length && new Set(tasks).size === tasks.length) return tasks;
  context.addIssue({ code: 'custom', message: NO_TASKS });
  return z.NEVER;
});

/** Parses the public names of each task's subjects. */
export const TaskSubjects = jsonText('{"curator": ["sentinel"]}').pipe(
  z
    .partialRecord(
      z.enum(TASK_NAMES, NO_TASKS),
      z.array(z.string().min(1).max(80)).min(1).max(1_000),
      'must be an object of lists, by task',
    )
    .transform((subjects) => new Map(Object.entries(subjects))),
);

const MOST_URLS = 5;

/** Parses secret URLs separated by commas, without duplicates. */
export const SecretUrls = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z
      .array(SecretUrl)
      .max(MOST_URLS, `must be ${MOST_URLS} addresses at most`)
      .refine(
        (urls) => new Set(urls.map((url) => url.reveal())).size === urls.length,
        'an address is listed twice',
      ),
  );

const NODE_NAME = /^([a-z0-9][a-z0-9_-]{0,31})=(?=https?:)/;
const MOST_NODES = 8;

/** Parses the address of a single node, which gets the default name of the first node. */
export const NodeUrl = SecretUrl.transform((url) => [{ name: nodeName(0), url }]);

/** Parses a single API token, which gets the name `default`. */
export const DefaultToken = BearerToken.transform((token) => [{ name: 'default', token }]);

/** Parses nodes separated by commas, each as `name=https://…` or as an address without a name. */
export const NodeUrls = z
  .string('is required')
  .transform((text) => text.split(',').map((part, place) => namedNode(part.trim(), place)))
  .pipe(
    z
      .array(z.object({ name: z.string(), url: SecretUrl }))
      .max(MOST_NODES, `must be ${MOST_NODES} addresses at most`)
      .refine(
        (nodes) => new Set(nodes.map(({ url }) => url.reveal())).size === nodes.length,
        'an address is listed twice',
      )
      .refine(
        (nodes) => new Set(nodes.map(({ name }) => name)).size === nodes.length,
        'a name is listed twice',
      ),
  );

function namedNode(text: string, place: number): { readonly name: string; readonly url: string } {
  const name = NODE_NAME.exec(text)?.[1];
  return name === undefined
    ? { name: nodeName(place), url: text }
    : { name, url: text.slice(name.length + 1) };
}

const WS_NAME = /^([a-z0-9][a-z0-9_-]{0,31})=(?=wss?:)/;
const WsUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol),
    'must be a ws or wss URL',
  )
  .transform((text) => new Secret(text));

/**
 * Parses WebSocket addresses separated by commas, each as `name=wss://…` or as an address without a
 * name (the name is then null).
 */
export const PushUrls = z
  .string()
  .transform((text) =>
    text.split(',').map((part) => {
      const [, name = null] = WS_NAME.exec(part.trim()) ?? [];
      return { name, url: part.trim().slice(name === null ? 0 : name.length + 1) };
    }),
  )
  .pipe(
    z
      .array(z.object({ name: z.string().nullable(), url: WsUrl }))
      .max(MOST_NODES, `must be ${MOST_NODES} addresses at most`),
  );

/** Returns the default name of the node at this position in the list. */
function nodeName(place: number): string {
  return `node-${place}`;
}

const Amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,30})$/, 'must be a whole number in the token’s smallest unit, as text')
  .transform(BigInt);
const PositiveAmount = Amount.refine((amount) => amount > 0n, 'must be above 0');

/** Parses amounts of fees that are swapped into STRK, by token and in the token's smallest unit. */
export const FeeConversions = jsonText(
  '{"WBTC": {"reserve": "…", "least": "…", "most": "…", "perDay": "…"}}',
).pipe(
  z
    .record(
      z.string(),
      z
        .strictObject({
          reserve: Amount,
          least: PositiveAmount,
          most: PositiveAmount,
          perDay: PositiveAmount,
        })
        .refine(({ least, most }) => most >= least, 'the most must be at least the least')
        .refine(({ least, perDay }) => perDay >= least, 'perDay must be at least the least')
        .transform(({ reserve, least, most, perDay }) => ({
          reserve,
          leastSold: least,
          mostSold: most,
          mostPerDay: perDay,
        })),
    )
    .refine((byToken) => !('STRK' in byToken), 'STRK is the token into which fees are swapped')
    .transform((byToken) => new Map(Object.entries(byToken))),
);

const ROLES = ['relay', 'swap_owner', 'curator', 'keeper'] as const;
const Fri = z
  .string()
  .regex(/^[1-9]\d{0,30}$/, 'must be a whole number of fri above 0, as text')
  .transform(BigInt);

/** Parses the floor and the ceiling of the accounts' balances, by role. */
export const LaneFloors = jsonText('{"relay": {"floor": "…", "ceiling": "…"}}').pipe(
  z
    .partialRecord(
      z.enum(ROLES, 'must be a role of accounts'),
      z
        .strictObject({ floor: Fri, ceiling: Fri })
        .refine(({ floor, ceiling }) => ceiling >= floor, 'the ceiling must be at least the floor')
        .transform(({ floor, ceiling }) => ({ floorFri: floor, ceilingFri: ceiling })),
    )
    .transform(
      (levels) =>
        new Map(
          ROLES.flatMap((role) => {
            const ofRole = levels[role];
            return ofRole === undefined ? [] : [[role, ofRole] as const];
          }),
        ),
    ),
);

const ENDPOINT_NAME = /^[a-z][\w.-]{0,39}$/;
const MOST_ENDPOINTS = 20;
/** Maximum number of secrets of one endpoint: enough for previous, present and next secrets. */
const MOST_SECRETS = 4;

const WebhookEndpoint = z.strictObject(
  {
    url: SecretUrl.refine(
      (url) => isPlainUrl(new URL(url.reveal())),
      'url must have no user, password or fragment',
    ),
    secrets: z
      .array(
        z.string('secrets must be texts').transform((text, context): SigningKey => {
          const key = SigningKey.parse(text);
          if (key !== null) return key;
          context.addIssue({
            code: 'custom',
            message: 'a secret must be whsec_ and 24 to 64 bytes in base64',
          });
          return z.NEVER;
        }),
        'secrets must be a list',
      )
      .min(1, 'secrets must have at least one')
      .max(MOST_SECRETS, `secrets must be ${MOST_SECRETS} at most`),
    events: z.enum(WEBHOOK_EVENTS, `events must be ${WEBHOOK_EVENTS.join(' or ')}`),
  },
  // Error texts do not repeat names of unknown fields, because an operator may have written a
  // secret where a field name belongs.
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'must have no fields but url, secrets and events'
        : 'must be an object',
  },
);

/** Parses receivers of webhooks by name. All problems are reported at once, each with its path. */
export const WebhookEndpoints = jsonText(
  '{"shop": {"url": "https://…", "secrets": ["whsec_…"], "events": "submissions"}}',
).transform((value, context) => {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : null;
  const problems =
    entries === null || entries.length === 0 || entries.length > MOST_ENDPOINTS
      ? [`must be an object of 1 to ${MOST_ENDPOINTS} endpoints by name`]
      : [];
  const endpoints = (entries ?? []).flatMap(([name, each], index) => {
    const read = WebhookEndpoint.safeParse(each);
    const found = [
      ...(ENDPOINT_NAME.test(name)
        ? []
        : ['name must be a lower-case letter and up to 39 letters, digits, dots, dashes']),
      ...(read.success ? [] : read.error.issues.map(({ message }) => message)),
    ];
    problems.push(...found.map((problem) => `endpoint ${index + 1}: ${problem}`));
    return read.success ? [{ name, ...read.data }] : [];
  });
  for (const message of problems) context.addIssue({ code: 'custom', message });
  return problems.length === 0 ? endpoints : z.NEVER;
});

const friText = (name: string) =>
  z
    .string(`${name} must be a text`)
    .regex(/^[1-9]\d{0,29}$/, `${name} must be a whole number above 0, as text`)
    .transform(BigInt);

const SponsorEntry = z.strictObject(
  {
    key: z
      .string('key must be a text')
      .regex(/^[\x21-\x7e]{16,200}$/, 'key must be 16 to 200 printable characters'),
    budgetPerDayFri: friText('budgetPerDayFri'),
    budgetPerNetworkFri: friText('budgetPerNetworkFri').optional(),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'must have no fields but key, budgetPerDayFri and budgetPerNetworkFri'
        : 'must be an object',
  },
);
const MOST_SPONSORS = 100;

/**
 * Parses sponsors by name, with their keys and budgets. Texts of errors contain neither names nor
 * keys.
 */
export const Sponsors = jsonText('{"wallet": {"key": "…", "budgetPerDayFri": "…"}}').transform(
  (value, context): readonly SponsorSetting[] => {
    const entries =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value)
        : [];
    const problems =
      entries.length === 0 || entries.length > MOST_SPONSORS
        ? [`must be an object of 1 to ${MOST_SPONSORS} sponsors by name`]
        : [];
    const sponsors = entries.flatMap(([name, each], index) => {
      const read = SponsorEntry.safeParse(each);
      const found = [
        ...(ENDPOINT_NAME.test(name)
          ? []
          : ['name must be a lower-case letter and up to 39 letters, digits, dots, dashes']),
        ...(read.success ? [] : read.error.issues.map(({ message }) => message)),
      ];
      problems.push(...found.map((problem) => `sponsor ${index + 1}: ${problem}`));
      if (!read.success) return [];
      const { key, budgetPerDayFri, budgetPerNetworkFri = quarterOf(budgetPerDayFri) } = read.data;
      return [{ name, key: new Secret(key), budgetPerDayFri, budgetPerNetworkFri }];
    });
    if (new Set(sponsors.map(({ key }) => key.reveal())).size < sponsors.length)
      problems.push('a key is listed twice');
    for (const message of problems) context.addIssue({ code: 'custom', message });
    return problems.length === 0 ? sponsors : z.NEVER;
  },
);

export interface SponsorSetting {
  readonly name: string;
  readonly key: Secret;
  readonly budgetPerDayFri: bigint;
  /** Part of the budget that callers of one network may use. */
  readonly budgetPerNetworkFri: bigint;
}

const isPlainUrl = ({ username, password, hash }: URL): boolean =>
  `${username}${password}${hash}` === '';
