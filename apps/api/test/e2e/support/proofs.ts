import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withdrawalCalldata } from '@sotto/circuits';
import { loadDevelopmentKeys } from '@sotto/circuits/node';
import { proveSignals, type WithdrawalSignals } from '@sotto/circuits/testing';

/** Calldata of a sound proof, fresh in every run and the same for all tests of it. */
export async function provenCalldata(signals: WithdrawalSignals): Promise<readonly string[]> {
  const file = join(proofFolder(), `${digestOf(signals)}.json`);
  if (!existsSync(file)) {
    const keys = await loadDevelopmentKeys();
    writeFileSync(file, JSON.stringify(await withdrawalCalldata(await proveSignals(signals, keys), keys.verificationKey)));
  }
  const calldata: string[] = JSON.parse(readFileSync(file, 'utf8'));
  return calldata;
}

function digestOf(signals: WithdrawalSignals): string {
  const text = JSON.stringify(signals, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('hex');
}

function proofFolder(): string {
  const folder = process.env['SOTTO_E2E_PROOFS'];
  if (folder === undefined) throw new Error('run these tests by jest.e2e.config.mjs, which makes a folder for proofs');
  return folder;
}
