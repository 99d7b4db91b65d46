/** The document of an import in answers. */
import type { Selectable } from 'kysely';
import type { ImportRecord } from '../engine/registry.ts';

type Identity = Pick<
  Selectable<ImportRecord>,
  'documentHash' | 'documentBytes' | 'mediaType' | 'fileName'
>;

/** The document of an import; null if nothing is known about it. */
export function documentOf({ documentHash, documentBytes, mediaType, fileName }: Identity) {
  if (documentHash === null || documentBytes === null) return null;
  return { sha256: documentHash, bytes: documentBytes, mediaType, fileName };
}
