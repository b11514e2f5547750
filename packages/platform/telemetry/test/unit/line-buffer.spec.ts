import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LineBuffer } from '../../src/line-buffer.js';

let written: string[];
let buffer: LineBuffer;
beforeEach(() => {
  jest.useFakeTimers();
  written = [];
  buffer = new LineBuffer({ write: (text) => written.push(Buffer.from(text).toString()) }, 20);
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a line buffer', () => {
  it('writes lines together once the first has waited its time', () => {
    buffer.write('a\n');
    jest.advanceTimersByTime(19);
    buffer.write('b\n');
    expect(written).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(written).toEqual(['a\nb\n']);
    buffer.write('c\n');
    jest.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('writes at once on flush, and nothing when nothing waits', () => {
    buffer.write('a\n');
    buffer.flush();
    buffer.flush();
    expect(written).toEqual(['a\n']);
    jest.advanceTimersByTime(100);
    expect(written).toEqual(['a\n']);
  });

  it('holds no more than it may, and loses nothing', () => {
    const lines = Array.from(
      { length: 2_500 },
      (_, index) => `${String(index).padStart(299, 'é')}\n`,
    );
    for (const line of lines) buffer.write(line);
    expect(written.length).toBeGreaterThan(3);
    expect(Math.max(...written.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(
      256 * 1024,
    );
    buffer.flush();
    expect(written.join('')).toBe(lines.join(''));
  });

  it('writes a line that is larger than it is at once, after those before it', () => {
    const line = `${'€'.repeat(256 * 1024)}\n`;
    buffer.write('a\n');
    buffer.write(line);
    expect(written).toEqual(['a\n', line]);
  });

  it('does not change what it has handed on', () => {
    const kept: (string | Uint8Array)[] = [];
    const handing = new LineBuffer({ write: (text) => kept.push(text) }, 20);
    for (const line of ['a\n', 'b\n']) {
      handing.write(line);
      handing.flush();
    }
    expect(kept.map((text) => Buffer.from(text).toString())).toEqual(['a\n', 'b\n']);
  });
});
