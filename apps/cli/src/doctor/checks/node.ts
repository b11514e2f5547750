import type { Felt } from '@sotto/kernel';
import { causeOf, codesOf } from '../../cause.js';
import { fine, found, type CheckFinding } from '../finding.js';
import type { NodeParts } from '@sotto/relayer/operation';
import { hostOf, type ConnectedSite, type Machine, type Site } from '../site.js';

/** JSON-RPC versions in which all methods exist that the adapters call. */
const SUPPORTED = ['0.8', '0.9', '0.10'];
/** Maximum age in ms of the newest block of a live chain. */
const MAX_HEAD_AGE_MS = 10 * 60_000;
/**
 * Maximum clock difference in ms. Signed quotes and deadlines are compared with the chain's clock.
 */
const MAX_CLOCK_SKEW_MS = 30_000;

const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|ERR_TLS|ERR_SSL|ALTNAME/;

export interface NodesPoll {
  readonly findings: readonly CheckFinding[];
  /** First node that the service can use. Null if no node can be used. */
  readonly usable: NodeParts | null;
}

/**
 * Checks every node separately. If one node is usable, failures of the other nodes become warnings.
 */
export async function pollNodes(site: Site, endpoints: readonly NodeParts[]): Promise<NodesPoll> {
  const looks = await Promise.all(
    endpoints.map(async (endpoint) => ({ endpoint, findings: await checkNode(site, endpoint) })),
  );
  const usable = looks.find(({ findings }) =>
    findings.every(({ level }) => level !== 'failure'),
  )?.endpoint;
  const findings = looks.flatMap((poll) => poll.findings);
  return usable === undefined
    ? { findings, usable: null }
    : {
        findings: findings.map((finding) =>
          finding.level === 'failure' ? { ...finding, level: 'warning' } : finding,
        ),
        usable,
      };
}

/** Checks that a node responds and that the service can use it. */
async function checkNode(
  { settings, machine }: Site,
  endpoint: NodeParts,
): Promise<readonly CheckFinding[]> {
  const host = hostOf(endpoint.url);
  try {
    const { chainId, specVersion, blockNumber } = await endpoint.health().probe();
    const expected = settings.network.chainId;
    if (chainId !== expected)
      return [found('WRONG_CHAIN', { found: chainName(chainId), expected: chainName(expected) })];
    const findings: CheckFinding[] = [];
    if (!SUPPORTED.includes(specVersion.split('.').slice(0, 2).join('.')))
      findings.push(
        found('SPEC_VERSION_UNSUPPORTED', { found: specVersion, supported: SUPPORTED.join(', ') }),
      );
    const { timestamp } = await endpoint.reader().head([]);
    const ageMs = machine.nowMs() - timestamp * 1_000;
    // A clock of this machine that is ahead makes the head appear too old. This difference is a
    // separate finding, so it is subtracted from the age.
    if (ageMs - Math.max(0, await skewMs(endpoint, machine)) > MAX_HEAD_AGE_MS)
      findings.push(found('HEAD_TOO_OLD', { seconds: Math.round(ageMs / 1_000) }));
    if (findings.length > 0) return findings;
    const chain = chainName(chainId);
    return [fine(`${host} serves ${chain}, JSON-RPC ${specVersion}, block ${blockNumber}`)];
  } catch (error) {
    return [nodeFailure(error, host)];
  }
}

/** Compares this machine's clock with the node's clock. */
export async function checkClock({
  node,
  machine,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const aheadMs = await skewMs(node, machine);
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (Math.abs(aheadMs) <= MAX_CLOCK_SKEW_MS) return [fine('this machine and the node agree')];
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  return [found('CLOCK_OFF', { seconds, direction })];
}

/**
 * Returns the time in ms by which this machine's clock is ahead of the node's. Uses the date header
 * of the node's response. Without the header, it compares the newest block, which can't be in the
 * future.
 */
async function skewMs({ url, reader }: NodeParts, machine: Machine): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'starknet_chainId', params: [] }),
    signal: AbortSignal.timeout(DATE_MS),
  });
  await response.body?.cancel();
  const dateMs = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(dateMs)) return machine.nowMs() - dateMs;
  const { timestamp } = await reader().head([]);
  return Math.min(0, machine.nowMs() - timestamp * 1_000);
}

const DATE_MS = 5_000;

function nodeFailure(error: unknown, host: string): CheckFinding {
  const cause = causeOf(error);
  const codes = codesOf(error);
  const status = codes.find((code) => code.startsWith('HTTP '));
  if (status !== undefined)
    return found('NODE_REFUSES_ACCESS', { host, status: status.slice('HTTP '.length) });
  if (codes.includes('UPSTREAM_TIMED_OUT')) return found('NODE_TIMED_OUT', { host });
  if (codes.includes('CERT_HAS_EXPIRED')) return found('NODE_TLS_EXPIRED', { host });
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID')) return found('NODE_TLS_OTHER_NAME', { host });
  if (codes.some((code) => TLS_CODE.test(code)))
    return found('NODE_TLS_NOT_TRUSTED', { host, cause });
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN'))
    return found('NODE_NAME_UNKNOWN', { host, cause });
  if (codes.includes('NODE_UNAVAILABLE')) return found('NODE_UNREACHABLE', { host, cause });
  return found('NODE_NOT_UNDERSTOOD', { host, cause });
}

/** Returns the name of a chain, which its id encodes as at most 31 ASCII characters. */
function chainName(chainId: Felt): string {
  const text = Buffer.from(chainId.slice(2), 'hex').toString('latin1');
  return /^[\w-]+$/.test(text) ? text : chainId;
}
