import { datasets } from '../../../import/datasets/datasets.ts';
import { documentKinds } from '../../../import/documents/kinds.ts';
import { orderFields } from '../../../import/orders/fields.ts';
import type { Handler } from '../../handler.ts';
import { runImport } from '../runImport.ts';
import type * as contracts from './contract.ts';

/** Imports a document of the marketplace. */
export const importDocument: Handler<typeof contracts.importDocument> = (
  { type, coarse, attribution, ...settings },
  context,
) =>
  runImport(context, {
    ...settings,
    action: 'importDocument',
    content: {
      document: true,
      ...(type !== undefined && { kind: type }),
      ...(attribution !== undefined && { attributionDays: attribution === '7' ? 7 : 14 }),
    },
    acceptsMultiDay: coarse === 'lastDay',
  });

/** Lists the documents and datasets that can be imported. */
export const listImportable: Handler<typeof contracts.listImportable> = async () => ({
  documents: documentKinds.map(({ name, about }) => ({ type: name, about })),
  datasets: [
    {
      dataset: 'orders',
      about:
        'Orders with their items, as NDJSON only. Kept by order; a later version replaces an earlier one.',
      ofChannel: true,
      fields: orderFields.map(({ name, type, required }) => ({
        name,
        kind: type.words,
        required,
        about: 'As the marketplace gives it.',
      })),
    },
    ...Object.values(datasets).map(({ name, about, ofChannel, fields }) => ({
      dataset: name,
      about,
      ofChannel,
      fields: Object.entries(fields).map(([field, { type, required = false, about: meaning }]) => ({
        name: field,
        kind: type.words,
        required,
        about: meaning,
      })),
    })),
  ],
});
