import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import { findDevnet } from '@sotto/deployment';
import { DevnetStack } from '@sotto/deployment/testing';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { eventually, writeJson } from '@sotto/process-kit';
import { freePort } from '@sotto/process-kit/free-port';
import { startDoubles, type Doubles } from '@sotto/sandbox';
import { Account, RpcProvider, shortString } from 'starknet';
import { z } from 'zod';

const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url));
const PAGE = join(CHECKOUT, 'docs/operations/first-production-start.md');
const FEE_ADDRESS = 0xfee_0001n;
const NULLIFIER = 0xabc_def0n;
const LANE_FUNDS_FRI = 10n ** 21n;
const TIMEOUT_MS = 600_000;
const COMMANDS: readonly string[] = [
  ...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm),
].map(([, text = '']) => text.trim());
const Keys = z.tuple([z.object({ address: z.string(), privateKey: z.string() })]);
const onDevnet = findDevnet() === undefined ? describe.skip : describe;

onDevnet('the page of the first production start', () => {
  let home: string;
  let work: string;
  let devnet: DevnetStack;
  let doubles: Doubles;
  let node: Server;
  let prices: Server;
  let values: Readonly<Record<string, string>>;

  beforeAll(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'sotto-first-')));
    work = join(home, 'work');
    mkdirSync(work);
    const tls = certificatesIn(home, join(work, 'ca.pem'));
    devnet = await DevnetStack.start();
    const chainId = BigInt(shortString.encodeShortString(devnet.stack.chainId));
    doubles = await startDoubles({ ...devnet.stack, chainId });
    node = await behindTls(devnet.rpcUrl, tls);
    prices = await behindTls(doubles.aggregatorUrl, tls);
    const { name, tokens, oracle, pools, limits, blocksOnDemand } = Object(devnet.profile);
    const common = { name, tokens, oracle, limits, blocksOnDemand };
    const profile = { ...common, chainId: devnet.stack.chainId };
    writeJson(work, 'network.json', { ...profile, pools: pools.slice(0, 1) });
    writeJson(work, 'verification_key.json', ownKey());
    values = {
      CLASS_HASH: await classOf(devnet),
      NODE_URL: urlOf(node),
      PRICE_URL: urlOf(prices),
      YOUR_FEE_ADDRESS: toFelt(FEE_ADDRESS),
      'PORT=3000': `PORT=${await freePort()}`,
      'METRICS_PORT=9464': `METRICS_PORT=${await freePort()}`,
    };
  }, TIMEOUT_MS);

  afterAll(async () => {
    const pid = join(work, 'sotto.pid');
    if (existsSync(pid)) endProcess(Number(readFileSync(pid, 'utf8')));
    node.close();
    prices.close();
    await doubles.stop();
    await devnet.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it(
    'the documented commands lead from an empty folder to a relayed withdrawal',
    async () => {
      const startedMs = performance.now();
      let exports = '';
      const outputs: string[] = [];
      let wasSpentByDryRun = true;
      for (const command of COMMANDS) {
        if (command.includes('withdraw?dryRun')) await pool();
        const isBundle = command.startsWith('npm run');
        const out = await run(`${exports}\n${filled(command)}`, isBundle ? CHECKOUT : work);
        if (command.startsWith('export')) exports = command;
        if (command.startsWith('sotto keys')) await deployAccount();
        if (command.includes('dryRun')) wasSpentByDryRun = await spent();
        outputs.push(out);
      }
      const outputOf = (part: string): string =>
        outputs[COMMANDS.findIndex((command) => command.includes(part))] ?? '';
      expect(wasSpentByDryRun).toBe(false);
      expect(outputOf('/relayer/withdraw -H')).toContain('"execution_status":"SUCCEEDED"');
      expect(outputOf('/metrics')).toContain('sotto_ready 1');
      const pid = Number(readFileSync(join(work, 'sotto.pid'), 'utf8'));
      await eventually('the service to end', () => !isRunning(pid));
      expect(await spent()).toBe(true);
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      process.stderr.write(`first production start: ${COMMANDS.length} commands, ${seconds} s\n`);
    },
    TIMEOUT_MS,
  );

  /**
   * Replaces the placeholders of a command by the operator's values, and its ports by free ports.
   */
  function filled(command: string): string {
    const port = (name: string): string => (values[name] ?? '').split('=')[1] ?? '';
    return (
      Object.entries(values)
        .reduce(
          (text, [name, value]) => text.replace(new RegExp(`(?<![A-Z_])${name}\\b`), value),
          command,
        )
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${port('PORT=3000')}`)
        .replaceAll('127.0.0.1:9464', `127.0.0.1:${port('METRICS_PORT=9464')}`)
        // The tested programs are built already. Devnet has no blocks while nothing is sent.
        .replace('bundle-production -- ', 'bundle-production -- --built ')
        .replace(/^PORT=/m, 'HEAD_MAX_AGE_MS=0\nPORT=')
    );
  }

  /**
   * Runs a script asynchronously, because this process also serves proxies and doubles. @returns
   * standard output
   */
  async function run(script: string, cwd: string): Promise<string> {
    // Only npm gets this process's environment, for its cache and settings. Other commands get only
    // PATH.
    const inherited = cwd === CHECKOUT ? process.env : { PATH: process.env['PATH'] };
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script.replaceAll('$HOME', home)], {
      cwd,
      env: inherited,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    shell.stdout.on('data', (chunk) => (stdout += String(chunk)));
    shell.stderr.on('data', (chunk) => (stderr += String(chunk)));
    await once(shell, 'close');
    if (shell.exitCode !== 0) {
      const service = join(work, 'sotto.log');
      const said = existsSync(service) ? readFileSync(service, 'utf8').slice(-3_000) : '';
      throw new Error(`${script}\n${String(shell.exitCode)}: ${stdout}\n${stderr}\n${said}`);
    }
    return stdout;
  }

  /** Deploys the lane's account. An operator would do this with a wallet. */
  async function deployAccount(): Promise<void> {
    const file: unknown = JSON.parse(readFileSync(join(work, 'accounts.json'), 'utf8'));
    const [{ address, privateKey }] = Keys.parse(file);
    await devnet.devnet.controls.mint(BigInt(address), LANE_FUNDS_FRI);
    const provider = new RpcProvider({ nodeUrl: devnet.rpcUrl });
    const account = new Account({ provider, address, signer: privateKey });
    const publicKey = await account.signer.getPubKey();
    const { transaction_hash: hash } = await account.deployAccount(
      {
        classHash: values['CLASS_HASH'] ?? '',
        constructorCalldata: [publicKey],
        addressSalt: publicKey,
      },
      { tip: 0n },
    );
    await provider.waitForTransaction(hash);
  }

  /**
   * Deposits the notes of several users in the pool, and creates a wallet's withdrawal of one of
   * these notes.
   */
  async function pool(): Promise<void> {
    const { accounts, pools } = devnet.stack;
    const { address } = pools.sentinel_1x;
    for (const commitment of [1n, 2n, 3n])
      await devnet.send(accounts.lane3, [
        {
          contract: address,
          entrypoint: 'deposit',
          calldata: [...u256ToHalves(commitment), accounts.crowd1.address],
        },
      ]);
    const [low = 0n, high = 0n] = await devnet.view({
      contract: address,
      entrypoint: 'get_last_root',
      calldata: [],
    });
    const calldata = forgedCalldata({
      root: low + (high << 128n),
      nullifierHash: NULLIFIER,
      recipient: 2n ** 250n + 0x70_0000n,
      relayer: FEE_ADDRESS,
      fee: 900n,
      batchStart: 0n,
      batchSize: 3n,
    });
    writeJson(work, 'withdrawal.json', { poolAddress: toFelt(address), calldata });
  }

  async function spent(): Promise<boolean> {
    const [isSpent] = await devnet.view({
      contract: devnet.stack.pools.sentinel_1x.address,
      entrypoint: 'is_spent',
      calldata: u256ToHalves(NULLIFIER),
    });
    return isSpent === 1n;
  }
});

function numbers([first = '', second = '']: readonly string[] = []): [bigint, bigint] {
  return [BigInt(first), BigInt(second)];
}

/**
 * Creates a verification key that is published nowhere and that accepts the proofs of the trapdoor
 * key. In this key, γ is multiplied by a random k, and the points of the inputs are divided by k.
 */
function ownKey(): object {
  const { Fr, Fp2 } = bn254.fields;
  const k = Fr.create(BigInt(`0x${randomBytes(31).toString('hex')}`)) + 2n;
  const [x, y] = trapdoorKey.vk_gamma_2.map((texts) => Fp2.fromBigTuple(numbers(texts)));
  if (x === undefined || y === undefined) throw new Error('the trapdoor key has no gamma');
  const gamma = bn254.G2.Point.fromAffine({ x, y }).multiply(k).toAffine();
  const texts = ({ c0, c1 }: typeof x): string[] => [String(c0), String(c1)];
  return {
    ...trapdoorKey,
    vk_gamma_2: [texts(gamma.x), texts(gamma.y), ['1', '0']],
    IC: trapdoorKey.IC.map((point) => {
      const [left, right] = numbers(point);
      const divided = bn254.G1.Point.fromAffine({ x: left, y: right }).multiply(Fr.inv(k));
      return [String(divided.toAffine().x), String(divided.toAffine().y), '1'];
    }),
  };
}

/** Creates a key and a certificate for loopback, signed by a certificate authority of this test. */
function certificatesIn(
  folder: string,
  caFile: string,
): { readonly key: Buffer; readonly cert: Buffer } {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  openssl('req', '-x509', ...made, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', caFile);
  const extensions = ['subjectAltName=DNS:localhost,IP:127.0.0.1', 'basicConstraints=CA:FALSE'];
  openssl(
    'req',
    '-x509',
    ...made,
    ...extensions.flatMap((extension) => ['-addext', extension]),
    ...'-subj /CN=node -CAkey ca.key -keyout tls.key -out tls.pem -CA'.split(' '),
    caFile,
  );
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return { key: read('tls.key'), cert: read('tls.pem') };
}

/** Starts an HTTPS server that forwards every request to an HTTP server. */
async function behindTls(target: string, tls: { key: Buffer; cert: Buffer }): Promise<Server> {
  const server = createServer(tls, (requested, answer) => {
    const { method, headers, url = '/' } = requested;
    const onwards = request(new URL(url, target), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onwards.on('error', () => answer.destroy());
    requested.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen');
  return `https://127.0.0.1:${address.port}`;
}

async function classOf({ rpcUrl, stack }: DevnetStack): Promise<string> {
  return new RpcProvider({ nodeUrl: rpcUrl }).getClassHashAt(toFelt(stack.accounts.lane1.address));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function endProcess(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}
