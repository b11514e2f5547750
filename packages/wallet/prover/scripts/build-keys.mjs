#!/usr/bin/env node
// Builds the development keys of circuits/withdraw.circom into keys/.
//
// build-keys.mjs writes keys/. build-keys.mjs --check builds into a temporary folder and compares
// it with keys/ byte by byte.
//
// The keys are derived only from the source and from the constants below, so the same source gives
// the same bytes. This also makes the keys worthless outside development: every reader of this file
// knows the secrets of the setup and can prove any statement. A deployment needs a ceremony whose
// contributors destroyed their randomness.
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { curves, powersOfTau, r1cs, zKey } from 'snarkjs';
import { CIRCUIT_FILE, compileCircuit } from './compile-circuit.mjs';

/**
 * The only contribution to each phase of the setup. snarkjs mixes system randomness into every
 * other kind of contribution, so two executions would give different keys.
 */
const PUBLIC_BEACON = createHash('sha256')
  .update('sotto development keys: toxic waste is known')
  .digest('hex');
/**
 * Binary logarithm of the number of hash rounds; 10 is the minimum of snarkjs. More rounds add no
 * security, as the beacon is public.
 */
const BEACON_ROUNDS_EXPONENT = 10;

const ARTEFACTS = ['withdraw.wasm', 'withdraw.zkey', 'verification_key.json'];
const MANIFEST = 'manifest.json';
const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const KEYS_FOLDER = join(PACKAGE_FOLDER, 'keys');

const startedAt = performance.now();
const say = (text) =>
  process.stdout.write(
    `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}\n`,
  );
const sha256 = async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

async function buildKeys(outFolder) {
  const workFolder = await mkdtemp(join(tmpdir(), 'sotto-keys-'));
  const at = (name) => join(workFolder, name);
  const curve = await curves.getCurveFromName('bn128');
  try {
    say('compiling the circuit');
    const circuit = await compileCircuit(workFolder);
    const power = await smallestPower(circuit.r1cs);

    say(`powers of tau, 2^${power}: new accumulator`);
    await powersOfTau.newAccumulator(curve, power, at('0.ptau'));
    say('powers of tau: contribution from the public beacon');
    await powersOfTau.beacon(
      at('0.ptau'),
      at('1.ptau'),
      'development',
      PUBLIC_BEACON,
      BEACON_ROUNDS_EXPONENT,
    );
    say('powers of tau: preparing phase 2 (the longest step, about a minute)');
    await powersOfTau.preparePhase2(at('1.ptau'), at('2.ptau'));

    say('groth16 setup');
    if ((await zKey.newZKey(circuit.r1cs, at('2.ptau'), at('0.zkey'))) === -1)
      throw new Error('groth16 setup rejected the circuit');
    say('groth16: contribution from the public beacon');
    await zKey.beacon(
      at('0.zkey'),
      at('withdraw.zkey'),
      'development',
      PUBLIC_BEACON,
      BEACON_ROUNDS_EXPONENT,
    );
    say('checking the proving key against circuit and powers of tau');
    if (!(await zKey.verifyFromR1cs(circuit.r1cs, at('2.ptau'), at('withdraw.zkey'))))
      throw new Error('the proving key does not belong to this circuit');
    await writeFile(
      at('verification_key.json'),
      json(await zKey.exportVerificationKey(at('withdraw.zkey'))),
    );
    await cp(circuit.wasm, at('withdraw.wasm'));

    await mkdir(outFolder, { recursive: true });
    for (const name of ARTEFACTS) await cp(at(name), join(outFolder, name));
    await writeFile(join(outFolder, MANIFEST), json(await manifest(outFolder, circuit.r1cs)));
  } finally {
    await curve.terminate();
    await rm(workFolder, { recursive: true, force: true });
  }
}

/**
 * Returns the smallest power of two that snarkjs' setup accepts. The setup has one row per
 * constraint, one per public input and one for the constant.
 */
async function smallestPower(circuit) {
  const { nConstraints, nPubInputs, nOutputs } = await r1cs.info(circuit);
  say(`the circuit has ${nConstraints} constraints and ${nPubInputs} public inputs`);
  return Math.floor(Math.log2(nConstraints + nPubInputs + nOutputs)) + 1;
}

async function manifest(folder, circuit) {
  const tools = {};
  for (const name of ['circom2', 'circomlib', 'snarkjs']) {
    tools[name] = JSON.parse(
      await readFile(join(PACKAGE_FOLDER, 'node_modules', name, 'package.json'), 'utf8'),
    ).version;
  }
  const artefacts = {};
  for (const name of ARTEFACTS) artefacts[name] = await sha256(join(folder, name));
  return {
    warning:
      'Development keys: their toxic waste is known, so any attacker can forge proofs for them. Never deploy them.',
    tools,
    source: { 'circuits/withdraw.circom': await sha256(CIRCUIT_FILE) },
    r1cs: await sha256(circuit),
    artefacts,
  };
}

async function checkKeys() {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-keys-check-'));
  try {
    await buildKeys(folder);
    const differing = [];
    for (const name of [...ARTEFACTS, MANIFEST]) {
      const [built, committed] = await Promise.all(
        [folder, KEYS_FOLDER].map((place) => readFile(join(place, name))),
      );
      if (!built.equals(committed)) differing.push(name);
    }
    if (differing.length > 0)
      throw new Error(
        `keys/ does not match the source: ${differing.join(', ')}. Run keys:build, then vectors:build.`,
      );
    say('keys/ matches the source byte for byte');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

say(
  'DEVELOPMENT KEYS: the toxic waste of this setup is public. Never use them where value is at stake.',
);
if (process.argv.includes('--check')) await checkKeys();
else {
  await buildKeys(KEYS_FOLDER);
  say('keys/ written; run vectors:build to update the test vector');
}
