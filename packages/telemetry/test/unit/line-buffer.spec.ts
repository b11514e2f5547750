import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LineBuffer } from '../../src/line-buffer.js';

let written: string[];
let buffer: LineBuffer;
beforeEach(() => {
  jest.useFakeTimers();
  written = [];
  buffer = new LineBuffer({ write: (text) => written.push(text) }, 20);
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

  it('writes at once when it is told to, and nothing when nothing waits', () => {
    buffer.write('a\n');
    buffer.flush();
    buffer.flush();
    expect(written).toEqual(['a\n']);
    jest.advanceTimersByTime(100);
    expect(written).toEqual(['a\n']);
  });

  it('holds no more than it may', () => {
    for (let line = 0; line < 2_500; line += 1) buffer.write('a\n');
    expect(written.map(({ length }) => length)).toEqual([2_000, 2_000]);
  });
});
