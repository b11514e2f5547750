#!/usr/bin/env node
import { chmodSync, writeFileSync } from 'node:fs';
import { toFelt } from '@sotto/kernel';
import { UsageError, readCliOptions, type CliOptions } from './cli-options.js';
import { deployStack } from './stack/deploy-stack.js';
import type { DeployedStack } from './stack/deployed-stack.js';
import { mapValues } from './stack/map-values.js';
import { networkProfile } from './stack/network-profile.js';
import { learntGas } from './learnt-gas.js';
import { chooseVerifier, verifierLibraries } from './stack/verifier-choice.js';

/** Deploys the development stack on a node and writes its network profile. */

const ONE_STRK_FRI = 10n ** 18n;
/** File mode of the accounts file, which contains private keys. */
const OWNER_ONLY = 0o600;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    await deploy(readCliOptions(process.argv.slice(2), process.env));
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function deploy(options: CliOptions): Promise<void> {
  const { VERIFIER_SIERRA: sierra, VERIFIER_CASM: casm, ACCOUNT_CLASS: accountClass } = options;
  const { ECIP_SIERRA: ecipSierra, ECIP_CASM: ecipCasm } = options;
  const ecip =
    ecipSierra === undefined || ecipCasm === undefined
      ? undefined
      : { sierra: ecipSierra, casm: ecipCasm };
  const files = sierra === undefined || casm === undefined ? undefined : { sierra, casm };
  const strkEach = options['strk-each'];
  const deployment = await deployStack(
    options['rpc-url'],
    { address: options.DEPLOYER_ADDRESS, privateKey: options.DEPLOYER_PRIVATE_KEY },
    {
      salt: options.salt,
      accountClassHash: accountClass === undefined ? undefined : toFelt(accountClass),
      verifier: chooseVerifier({
        address: options.VERIFIER_ADDRESS,
        classHash: options.VERIFIER_CLASS,
        files,
      }),
      libraries: verifierLibraries(ecip),
      funding: strkEach === undefined ? {} : { strkEachFri: BigInt(strkEach) * ONE_STRK_FRI },
      report: say,
    },
  );
  const from = options['learnt-from'];
  const learnt =
    from === undefined ? null : await learntGas(from, Object.values(deployment.stack.pools));
  if (from !== undefined)
    say(
      learnt === null
        ? `${from} has learnt no gas yet`
        : `gas amounts are from the receipts at ${from}: ${learnt}`,
    );
  writeFileSync(
    options.profile,
    `${JSON.stringify(networkProfile(options.name, deployment, learnt), null, 2)}\n`,
  );
  if (options.accounts !== undefined) {
    writeFileSync(options.accounts, accountsFile(deployment.stack), { mode: OWNER_ONLY });
    // The mode that was passed when the file was written applies only to new files. An existing
    // file would keep its old mode.
    chmodSync(options.accounts, OWNER_ONLY);
  }
  const { transactions, declareMs, deployMs } = deployment;
  say(
    `${transactions} transactions; declared in ${inSeconds(declareMs)}, deployed and set up in ${inSeconds(deployMs)}`,
  );
  say(`the network profile is ${options.profile}`);
}

/**
 * Renders address and private key of every account as JSON, in the format of the service's
 * settings. Accounts that only receive payments are included.
 */
function accountsFile({ accounts }: DeployedStack): string {
  const rendered = mapValues(accounts, ({ address, privateKey }) => ({
    address: toFelt(address),
    privateKey: toFelt(privateKey),
  }));
  return `${JSON.stringify(rendered, null, 2)}\n`;
}

function say(line: string): void {
  process.stderr.write(`sotto · ${line}\n`);
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
