import { describe, expect, it } from '@jest/globals';
import { Origins } from '../../src/index.js';

const LIST = /^must be origins separated by commas, such as .*; or \* for any$/;

const problemOf = (text: string): string | undefined =>
  Origins.safeParse(text).error?.issues[0]?.message;

describe('origins of pages', () => {
  it.each([
    ['https://app.example', ['https://app.example']],
    [
      'https://app.example:8443, http://localhost:5173',
      ['https://app.example:8443', 'http://localhost:5173'],
    ],
    [
      'capacitor://localhost,ionic://localhost,tauri://localhost',
      ['capacitor://localhost', 'ionic://localhost', 'tauri://localhost'],
    ],
    [`chrome-extension://${'ab'.repeat(16)}`, [`chrome-extension://${'ab'.repeat(16)}`]],
    [
      'safari-web-extension://0B8F3C1E-5D7A-4E2B-9C64-1F2A3B4C5D6E',
      ['safari-web-extension://0B8F3C1E-5D7A-4E2B-9C64-1F2A3B4C5D6E'],
    ],
    ['app://wallet:8080', ['app://wallet:8080']],
    ['*', ['*']],
    [' * ', ['*']],
  ])('CORS origins are normalised to the format that browsers send: %s', (text, origins) => {
    expect(Origins.parse(text)).toEqual(origins);
  });

  it.each([
    '',
    'app.example',
    'localhost:5173',
    'https://',
    'https://app.example/',
    'https://app.example/page',
    'https://App.example',
    'https://app.example:443',
    'https://user@app.example',
    'https://*.app.example',
    'https://app.example,,https://b.example',
    'capacitor://',
    'capacitor://localhost/',
    'capacitor://localhost/page',
    'capacitor://local host',
    'capacitor://user@localhost',
    'CAPACITOR://localhost',
    'chrome-extension://*',
    'file://localhost',
    'data://x',
    'javascript://x',
    'wss://app.example',
  ])('CORS origins that no web page can have are rejected: %s', (text) => {
    expect(problemOf(text)).toMatch(LIST);
  });

  it('a list of CORS origins with * is rejected if it also contains other origins', () => {
    expect(problemOf('*, https://app.example')).toBe('must be * alone, or origins without *');
    expect(problemOf('*,*')).toBe('must be * alone, or origins without *');
  });

  it('the CORS origin null is rejected, because all pages that hide their origin send it', () => {
    expect(problemOf('https://app.example,null')).toMatch(/^must be origins: null is sent by/);
  });
});
