import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

const PICTURES = fileURLToPath(new URL('../../../../../docs/pictures/', import.meta.url));

/**
 * Writes a screenshot for the documents if `SOTTO_PICTURES` is `write`.
 * @param fullPage true if the screenshot also contains the part of the page that needs scrolling
 */
export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env['SOTTO_PICTURES'] !== 'write') return;
  mkdirSync(PICTURES, { recursive: true });
  const image = PNG.sync.read(await page.screenshot({ fullPage }));
  writeFileSync(join(PICTURES, `${name}.png`), withPalette(image));
}

const MOST_COLOURS = 256;
/**
 * Minimum distance between two colours of the palette. The distance is the sum of the squared
 * differences of the colour channels. Colours with a smaller distance share one palette entry.
 */
const APART = 75;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/**
 * Last bytes of a PNG header: 8 bits per sample, colour type 3 (palette), then constants of every
 * PNG.
 */
const HEADER_END = [8, 3, 0, 0, 0];

/** Encodes a PNG with a palette. A page has few colours, so this halves the size of the file. */
function withPalette({ width, height, data }: PNG): Buffer {
  const counts = new Map<number, number>();
  const colours = Array.from({ length: width * height }, (_, pixel) => {
    const colour = data.readUIntBE(pixel * 4, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
    return colour;
  });
  const palette: number[] = [];
  for (const [colour] of [...counts].toSorted(([, one], [, other]) => other - one))
    // A coloured mark has fewer pixels than the shades at the edges of letters. The mark still
    // needs its own palette entry.
    if (palette.length < MOST_COLOURS && !palette.some((kept) => distance(kept, colour) < APART))
      palette.push(colour);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (const [pixel, colour] of colours.entries())
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = indexes.get(colour) ?? 0;
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(HEADER_END)])),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channelsOf = (colour: number): readonly number[] => [
  colour >> 16,
  (colour >> 8) & 0xff,
  colour & 0xff,
];

function distance(one: number, other: number): number {
  const channels = channelsOf(other);
  return channelsOf(one).reduce(
    (sum, channel, at) => sum + (channel - (channels[at] ?? 0)) ** 2,
    0,
  );
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((candidate) => distance(candidate, colour));
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
