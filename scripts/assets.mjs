// Assets of the site, whose names change with their content, so that they may be kept for ever.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';

/** Writes an asset of a part of the site, such as `guides`; returns its address. */
export function writeAsset(folder, part, file, content) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  const { name, ext } = parse(file);
  const hashed = `${name}-${digest}${ext}`;
  writeFileSync(join(folder, part, 'assets', hashed), content);
  return `/${part}/assets/${hashed}`;
}
