/** The contracts of the operations that create CSV reports. */
import Type, { type TObject } from 'typebox';
import { type Contract, contract, type Rule } from './endpoint.ts';
import {
  createdText,
  Format,
  type ReportOperation,
  type ReportType,
  reportFields,
  reportOperationOf,
} from './reports.ts';
import { channelFields } from './shapes.ts';

type SharedFields = typeof channelFields & { readonly format: typeof Format };
type Body<Options> = TObject<
  SharedFields & (Options extends TObject ? { readonly reportOptions: Options } : unknown)
>;

/** The part of a contract that differs between reports. */
type Particulars<Options> = Pick<Contract, 'summary' | 'description'> & {
  readonly example: NonNullable<Contract['example']>;
  readonly options?: Options;
  readonly rules?: readonly Rule[];
};

/** Declares the operation that creates reports of a type. */
export function reportContract<
  const T extends ReportType,
  Options extends TObject | undefined = undefined,
>(reportType: T, { summary, description, options, rules, example }: Particulars<Options>) {
  return contract({
    operation: reportOperationOf(reportType) as ReportOperation<T>,
    access: 'key',
    method: 'POST',
    path: `/reports/create/${reportType}`,
    needs: 'reports:read',
    summary,
    description: `${description} ${createdText}`,
    body: Type.Object({
      ...channelFields,
      format: Format,
      ...(options && { reportOptions: options }),
    }) as unknown as Body<Options>,
    ...(rules && { rules }),
    channel: true,
    idempotencyKey: true,
    example,
    answer: Type.Object(reportFields, { component: 'Report' }),
  });
}
