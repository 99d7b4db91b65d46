// Pictures of the console in the guides: each is served in both themes, beside the other assets.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAsset } from './assets.mjs';
import { escaped } from './page.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The pixels of a picture in one CSS pixel, each way: enough for dense screens. */
export const pixelDensity = 1.5;

/** The file of the dark variant of a picture. */
export const darkOf = (file) => file.replace(/\.webp$/, '-dark.webp');

/**
 * The picture that a document names by `href`: its addresses in both themes, and its size in CSS
 * pixels. Its files are written into the folder of the pages.
 */
export function pictureOf(folder, document, href) {
  const file = join(root, dirname(document), href);
  const image = readFileSync(file);
  const [width, height] = sizeOf(image).map((pixels) => Math.round(pixels / pixelDensity));
  const write = (name, content) => writeAsset(folder, 'guides', basename(name), content);
  const dark = write(darkOf(file), readFileSync(darkOf(file)));
  return { light: write(file, image), dark, width, height };
}

/** A picture as HTML. With its size, the text below it does not move while it loads. */
export function pictureAsHtml({ light, dark, width, height }, alt) {
  const size = `width="${width}" height="${height}"`;
  return `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)" ${size}><img src="${light}" alt="${escaped(alt)}" ${size} loading="lazy" decoding="async"></picture>`;
}

/** The width and height in pixels of a lossy WebP image, with a profile of colours or without. */
function sizeOf(image) {
  const kind = image.toString('latin1', 8, 16);
  if (kind === 'WEBPVP8X') return [image.readUIntLE(24, 3) + 1, image.readUIntLE(27, 3) + 1];
  if (kind === 'WEBPVP8 ')
    return [image.readUInt16LE(26) & 0x3fff, image.readUInt16LE(28) & 0x3fff];
  throw new Error('a picture is no lossy WebP');
}
