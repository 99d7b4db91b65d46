/** Imports documents as an operator. */
import { type Answer, explainedToOperator, operatorToken } from '../client.ts';
import { Refused, refusalOf } from '../refused.ts';
import { type OptionValues, parametersOf } from './importOptions.ts';

/** The result of an import. */
export type Recap = Answer<'importDocument'>;

/** A document that was refused as a whole, with what was read of it. */
export class RefusedDocument extends Refused {
  readonly recap: Recap | undefined;

  constructor(refused: Refused, recap: Recap | undefined) {
    super(refused.status, refused.message, { requestId: refused.requestId });
    this.recap = recap;
  }
}

/** The longest name of a file that an import takes. */
const fileNameMax = 255;

type Sent = {
  readonly channelId: string;
  readonly file: File;
  readonly options: OptionValues;
};

/** Imports a document into a channel; reports the part of it that was sent, from 0 to 1. */
export function importDocument(
  { channelId, file, options }: Sent,
  report: (part: number) => void,
): Promise<Recap> {
  return new Promise((resolve, reject) => {
    // Of the two ways to send, only this one reports its progress.
    const request = new XMLHttpRequest();
    const fileName = file.name.slice(-fileNameMax);
    const { charset, dataset, channelId: other } = options;
    const query = new URLSearchParams({
      ...(other === undefined && { channelId }),
      fileName,
      ...parametersOf(options),
    });
    const mediaType = dataset === undefined ? 'application/octet-stream' : rowsTypeOf(file.name);
    const place = dataset === undefined ? 'documents' : `imports/${dataset}`;
    request.open('POST', `/operator/${place}?${query}`);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('authorization', `Bearer ${operatorToken()}`);
    request.setRequestHeader(
      'content-type',
      charset === undefined ? mediaType : `${mediaType}; charset=${charset}`,
    );
    request.upload.onprogress = ({ loaded, total }) => report(total > 0 ? loaded / total : 1);
    request.onerror = () =>
      reject(new Refused(0, 'The document was not sent. Check your connection and try again.'));
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 200) return resolve(JSON.parse(responseText) as Recap);
      const refused = refusalOf(status, responseText, (name) => request.getResponseHeader(name));
      reject(new RefusedDocument(explainedToOperator(refused), recapIn(responseText)));
    };
    request.send(file);
  });
}

/** The media type of rows of a dataset, by the name of their file. */
function rowsTypeOf(name: string): string {
  return /\.(csv|tsv|txt)(\.gz|\.zip)?$/i.test(name) ? 'text/csv' : 'application/x-ndjson';
}

/** The recap in a refusal; undefined if nothing was read. */
function recapIn(text: string): Recap | undefined {
  try {
    const found = JSON.parse(text) as Recap;
    return typeof found.importId === 'number' && Array.isArray(found.rejected) ? found : undefined;
  } catch {
    // An answer without JSON comes from a proxy in between.
    return undefined;
  }
}
