import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { WithdrawalSignals } from '@sotto/prover/testing';

const PROVE = fileURLToPath(new URL('prove.mjs', import.meta.url));

/**
 * Returns calldata of a valid proof that is computed in each run. All tests of a run share the
 * proof if the run has a folder for proofs.
 */
export async function provenCalldata(signals: WithdrawalSignals): Promise<readonly string[]> {
  const folder = process.env['SOTTO_E2E_PROOFS'];
  if (folder === undefined) return toCalldata(await prove(signals));
  const file = join(folder, `${digestOf(signals)}.json`);
  if (!existsSync(file)) {
    // Another process may read the file at the same time. So the file gets its final name only when
    // it is complete.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, await prove(signals));
    renameSync(unfinished, file);
  }
  return toCalldata(readFileSync(file, 'utf8'));
}

function toCalldata(json: string): readonly string[] {
  const calldata: string[] = JSON.parse(json);
  return calldata;
}

/**
 * Computes the proof in a separate process, because this event loop also serves the chain and other
 * tests.
 */
async function prove(signals: WithdrawalSignals): Promise<string> {
  const child = spawn(process.execPath, [PROVE], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(toText(signals));
  const [calldata, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`the prover ended with ${String(code)}`);
  return calldata;
}

function digestOf(signals: WithdrawalSignals): string {
  return createHash('sha256').update(toText(signals)).digest('hex');
}

function toText(signals: WithdrawalSignals): string {
  return JSON.stringify(signals, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
