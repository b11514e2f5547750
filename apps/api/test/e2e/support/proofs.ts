import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { proveSignals, type WithdrawalSignals } from '@sotto/prover/testing';

/**
 * Calldata of a sound proof, fresh in every run and the same for all tests of it where the run has
 * a folder for proofs.
 */
export async function provenCalldata(signals: WithdrawalSignals): Promise<readonly string[]> {
  const folder = process.env['SOTTO_E2E_PROOFS'];
  if (folder === undefined) return prove(signals);
  const file = join(folder, `${digestOf(signals)}.json`);
  if (!existsSync(file)) {
    // Another process may look for it meanwhile.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(await prove(signals)));
    renameSync(unfinished, file);
  }
  const calldata: string[] = JSON.parse(readFileSync(file, 'utf8'));
  return calldata;
}

async function prove(signals: WithdrawalSignals): Promise<readonly string[]> {
  const keys = await loadDevelopmentKeys();
  return withdrawalCalldata(await proveSignals(signals, keys), keys.verificationKey);
}

function digestOf(signals: WithdrawalSignals): string {
  const text = JSON.stringify(signals, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return createHash('sha256').update(text).digest('hex');
}
