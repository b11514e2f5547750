import type { Pools } from '../service.js';
import { needsToken, type Operation, type Parameter } from './document.js';

/** Values of this service that make prefilled requests succeed. */
export interface Known {
  /** Pools of this service. Null if they can't be read. */
  readonly pools: Pools | null;
  /** Id of the last submission that this page caused. */
  readonly submission: string | null;
  /** Body of the last proof that this page sent and the service accepted. */
  readonly proof: string | null;
  /** Id of the last bridge transfer that this page caused. */
  readonly transfer: string | null;
}

/** Content of an operation's form. */
export interface Prefill {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Note about the content for the user, such as the source of a missing value. */
  readonly note: string | null;
}

/** Changes of the values that every operation gets. */
interface Particular {
  readonly parameters?: Readonly<Record<string, string>>;
  /** Body as JSON value; null leaves the body to the user. */
  readonly body?: unknown;
  readonly note?: string;
}

const SHORTENED =
  'The example contains a shortened proof, so the dry run reports that it is invalid. A wallet makes the body of a real request.';
const NO_POOLS = 'The pools of this service can’t be read now. Fill in the address of a pool.';
const NO_SUBMISSION =
  'Send an operation first that creates a submission: its id is filled in here.';

type Fill = (known: Known, operation: Operation) => Particular;

/** Changes for the operations that need values of this service. */
const PARTICULARS: Readonly<Record<string, Fill>> = {
  submitWithdrawal: (known, operation) => dryRun(known, operation, 'poolAddress', SHORTENED),
  privateSwap: (known, operation) => dryRun(known, operation, 'wbtcPool', SHORTENED),
  relayDeposit: (known, operation) =>
    dryRun(
      known,
      operation,
      'poolAddress',
      'The example contains a shortened signature, so the dry run reports that it is invalid. A depositor’s account signs the body of a real request.',
    ),
  deployBatch: ({ pools }) => {
    const pool = pools?.pools.find(({ undeployedCount, batchSizes }) =>
      batchSizes.some((size) => size <= (undeployedCount ?? 0)),
    );
    if (pool === undefined)
      return {
        body: null,
        note: 'No pool has enough waiting deposits for a full batch now. Fill in a pool and a count.',
      };
    const count = Math.max(
      ...pool.batchSizes.filter((size) => size <= (pool.undeployedCount ?? 0)),
    );
    return {
      body: { poolAddress: pool.address, count },
      note: `${pool.key} has ${String(pool.undeployedCount)} waiting deposits. The request sends a transaction.`,
    };
  },
  getPoolStatus: (known) => ofPool(known, (pool) => ({ parameters: { pool } })),
  estimateFee: (known) => ofPool(known, (pool) => ({ parameters: { pool } })),
  issueQuote: (known) => ofPool(known, (poolAddress) => ({ body: { poolAddress } })),
  quoteSwap: ({ pools }) => {
    const pool = pools?.pools.find(({ kind }) => kind === 'swap_input');
    const token = pools?.privateSwap?.outputTokens[0];
    if (pool === undefined || token === undefined)
      return {
        parameters: { pool: '', outputToken: '' },
        note: 'This service offers no private swaps, or its pools can’t be read now.',
      };
    return { parameters: { pool: pool.address, outputToken: token.address } };
  },
  getSubmission: ofSubmission,
  followSubmission: ofSubmission,
  getOperatedSubmission: ofSubmission,
  retrySubmission: ofUnfinished,
  cancelSubmission: ofUnfinished,
  lookUpSubmission: ({ proof }) =>
    proof === null
      ? {
          body: null,
          note: 'Send a withdrawal first, not as a dry run: its body is filled in here.',
        }
      : { body: JSON.parse(proof) },
  getBridgeStatus: ({ transfer }) =>
    transfer === null
      ? {
          parameters: { transaction_id: '' },
          note: 'Request a bridge quote first, not as a dry run: its id is filled in here.',
        }
      : { parameters: { transaction_id: transfer } },
  pausePool: ofPoolKey,
  resumePool: ofPoolKey,
  pauseLane: ofLane,
  resumeLane: ofLane,
};

function ofPool({ pools }: Known, fill: (address: string) => Particular): Particular {
  const address = pools?.pools[0]?.address;
  return address === undefined ? { ...fill(''), note: NO_POOLS } : fill(address);
}

function ofSubmission({ submission }: Known): Particular {
  return submission === null
    ? { parameters: { id: '' }, note: NO_SUBMISSION }
    : { parameters: { id: submission } };
}

function ofUnfinished(): Particular {
  return {
    parameters: { id: '' },
    note: 'Fill in the id of a submission that the operator’s list shows as unfinished.',
  };
}

function ofPoolKey({ pools }: Known): Particular {
  return { parameters: { pool: pools?.pools[0]?.key ?? '' } };
}

function ofLane(): Particular {
  return {
    parameters: { lane: '' },
    note: 'Fill in the address of an account from the operator’s status.',
  };
}

/** Fills in a dry run of the document's example for a pool of this service. */
function dryRun(
  { pools }: Known,
  operation: Operation,
  member: 'poolAddress' | 'wbtcPool',
  note: string,
): Particular {
  const kind = member === 'wbtcPool' ? 'swap_input' : 'withdraw';
  const address = pools?.pools.find((pool) => pool.kind === kind)?.address;
  const output = pools?.privateSwap?.outputTokens[0]?.address;
  return {
    parameters: { dryRun: 'true' },
    body: {
      ...Object(exampleOf(operation)),
      ...(address === undefined ? {} : { [member]: address }),
      ...(member === 'wbtcPool' && output !== undefined ? { outputToken: output } : {}),
    },
    note,
  };
}

/** Returns the first example of the request's body. Undefined if there is no body. */
const exampleOf = ({ requestBody }: Operation): unknown =>
  Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value;

/**
 * Returns the content of an operation's form. An optional parameter is empty, unless it prevents
 * that the request changes something.
 */
export function prefillOf(operation: Operation, known: Known): Prefill {
  const { parameters: own = {}, ...particular } =
    PARTICULARS[operation.operationId]?.(known, operation) ?? {};
  const body = 'body' in particular ? particular.body : exampleOf(operation);
  const parameters = parametersOf(operation).map(
    (parameter) => [parameter.name, own[parameter.name] ?? usual(parameter)] as const,
  );
  return {
    parameters: Object.fromEntries(parameters),
    body:
      operation.requestBody === undefined
        ? null
        : body === null || body === undefined
          ? ''
          : JSON.stringify(body, null, 2),
    note: particular.note ?? null,
  };
}

const textOf = (example: unknown): string => (typeof example === 'string' ? example : '');

const usual = ({ name, required = false, schema }: Parameter): string =>
  name === 'dryRun' || required ? textOf(schema.example) : '';

/**
 * Returns the parameters that the form contains. The token has a separate field in the forms of
 * operations that need it.
 */
export const parametersOf = (operation: Operation): readonly Parameter[] =>
  (operation.parameters ?? []).filter(
    ({ name }) => !(needsToken(operation) && name === 'authorization'),
  );
