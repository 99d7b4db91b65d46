import { Refusal } from '../../../contract/refusal.ts';
import type { Format } from '../../../import/messages.ts';
import type { Handler } from '../../handler.ts';
import { refuseForm, runImport } from '../runImport.ts';
import type * as contracts from './contract.ts';

const formats: Readonly<Record<string, Format>> = {
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
};

/** Imports rows of a dataset. */
export const importDataset: Handler<typeof contracts.importDataset> = async (
  { dataset, channelId, ...settings },
  context,
) => {
  refuseForm(context.upload);
  const format = formats[context.upload.mediaType];
  if (format === undefined)
    throw new Refusal(
      415,
      "the header content-type must be application/x-ndjson or text/csv: with curl, add -H 'content-type: text/csv' and send the file by --data-binary @FILE",
    );
  if (dataset === 'orders' && format === 'csv')
    throw new Refusal(
      415,
      'orders contain their items, so they must be sent as application/x-ndjson; orderLines can be sent as text/csv',
    );
  return runImport(context, {
    ...settings,
    action: 'importDataset',
    content: { dataset, format },
    channelId,
    acceptsMultiDay: false,
  });
};
