import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { DOWNLOAD_SILENCE_MS, loadArtefacts, type ProverArtefacts } from '../../src/artefacts.js';
import { developmentArtefacts } from '../../src/development-keys.js';
import { codeOf } from '../support/builders.js';
import { bytesOf, FakePlatform, PINS } from '../support/platform.js';

let platform: FakePlatform;
let fractions: number[];
beforeEach(() => {
  platform = new FakePlatform();
  fractions = [];
});

const load = async (pins: ProverArtefacts = PINS, signal?: AbortSignal) =>
  loadArtefacts(pins, platform, (fraction) => fractions.push(fraction), signal);

describe('artefacts', () => {
  it('the prover reports the loaded share of the artefacts’ bytes as progress', async () => {
    expect(await load()).toEqual({
      wasm: bytesOf('the witness generator'),
      zkey: bytesOf('the proving key'),
      verificationKey: bytesOf('{}'),
    });
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
    expect(fractions.at(-1)).toBe(1);
    expect(fractions[0]).toBeLessThan(1);
  });

  it('the prover reads its artefacts from the cache the second time', async () => {
    await load();
    platform.fetched.length = 0;
    expect((await load()).zkey).toEqual(bytesOf('the proving key'));
    expect(platform.fetched).toEqual([]);
    expect(fractions.at(-1)).toBe(1);
  });

  it.each([
    ['another content', 'the proving kex'],
    ['a shorter content', 'the proving'],
    ['a longer content', 'the proving key and more'],
  ])('the prover rejects artefacts with %s, and does not cache them', async (_, body) => {
    platform.bodies.set('zkey', body);
    expect(await codeOf(load)).toBe('ARTEFACT_MISMATCH');
    expect(platform.cached.has(PINS.zkey.sha256)).toBe(false);
    platform.bodies.set('zkey', 'the proving key');
    expect((await load()).zkey).toEqual(bytesOf('the proving key'));
  });

  it('the prover fetches an artefact again if its cached content does not match its pin', async () => {
    platform.cached.set(PINS.wasm.sha256, bytesOf('a witness generator'));
    expect((await load()).wasm).toEqual(bytesOf('the witness generator'));
    expect(platform.cached.get(PINS.wasm.sha256)).toEqual(bytesOf('the witness generator'));
  });

  it('the prover verifies an artefact that the caller passes as bytes', async () => {
    const zkey = { ...PINS.zkey, source: bytesOf('the proving key') };
    expect((await load({ ...PINS, zkey })).zkey).toEqual(zkey.source);
    const other = { ...PINS.zkey, source: bytesOf('the proving kex') };
    expect(await codeOf(async () => load({ ...PINS, zkey: other }))).toBe('ARTEFACT_MISMATCH');
  });

  it('reports ARTEFACT_UNAVAILABLE if the server does not have an artefact or the download fails', async () => {
    platform.bodies.delete('wasm');
    expect(await codeOf(load)).toBe('ARTEFACT_UNAVAILABLE');
    platform.fetch = async () =>
      new Response(new ReadableStream({ pull: (body) => body.error(new Error('reset')) }));
    expect(await codeOf(load)).toBe('ARTEFACT_UNAVAILABLE');
  });

  it.each(['never begins', 'stops halfway'])(
    'reports ARTEFACT_UNAVAILABLE if the download %s',
    async (when) => {
      jest.useFakeTimers();
      platform.fetch = async (_, signal) =>
        new Promise((resolve, reject) => {
          const body = new ReadableStream({
            start: (stream) =>
              signal?.addEventListener('abort', () => {
                stream.error(signal.reason);
                reject(signal.reason);
              }),
          });
          if (when === 'stops halfway') resolve(new Response(body));
        });
      const code = codeOf(load);
      await jest.advanceTimersByTimeAsync(DOWNLOAD_SILENCE_MS);
      jest.useRealTimers();
      expect(await code).toBe('ARTEFACT_UNAVAILABLE');
    },
  );

  it('the download of artefacts ends when the caller’s signal aborts', async () => {
    const user = new AbortController();
    platform.fetch = async (_, signal) =>
      new Promise((__, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const loading = load(PINS, user.signal);
    await new Promise(setImmediate);
    user.abort(new Error('left'));
    await expect(loading).rejects.toThrow('left');
  });
});

describe('the development artefacts', () => {
  it.each(Object.entries(developmentArtefacts))(
    'the pin of the development artefact %s matches its file in keys/',
    async (_, artefact) => {
      const { source, sha256, bytes } = artefact;
      if (source instanceof Uint8Array) throw new Error('not a file');
      const file = await readFile(source);
      expect({ sha256, bytes }).toEqual({
        sha256: createHash('sha256').update(file).digest('hex'),
        bytes: file.length,
      });
    },
  );
});
