// Assets of the site. Their names change with their content, so browsers may cache them forever.
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
