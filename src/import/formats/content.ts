/** Reads the content of an import: a document, or rows of a dataset. */
import { OwnAdRows } from '../documents/advertising/ownRows.ts';
import { KnownRates } from '../documents/rates/plausibleRates.ts';
import type { ReadingTask } from '../messages.ts';
import type { ImportSession } from '../session.ts';
import { isDocumentHeader, readDocument } from './document.ts';
import { encodingOf } from './encoding.ts';
import { readCsv, readNdjson } from './rows.ts';
import { boundedBytes, plainBytes } from './unpack.ts';

/** Reads the content of an import. Returns the dataset or the kind of document that was read. */
export async function readContent(
  task: ReadingTask,
  session: ImportSession,
  source: AsyncIterable<Buffer>,
): Promise<string> {
  const { content, charset, unpackedMegabytesMax } = task;
  const encoding = {
    charset,
    fallback: encodingOf(task),
    onEncoding: (name: string) => {
      session.encoding = name;
    },
  };
  const plain = plainBytes(source, encoding, session.documentPath, isDocumentHeader);
  const bytes = boundedBytes(plain, unpackedMegabytesMax);
  if ('document' in content) return await readDocument(session, bytes, content.kind);
  if (content.dataset === 'exchangeRates') {
    const known = await KnownRates.of(session);
    session.rows('exchangeRates').objection = (cells) => known.reasonAgainst(cells, session.now);
  }
  const own = OwnAdRows.of(session, content.dataset);
  if (content.format === 'ndjson') await readNdjson(session, bytes, content.dataset);
  else await readCsv(session, bytes, content.dataset);
  await own?.end();
  return content.dataset;
}
