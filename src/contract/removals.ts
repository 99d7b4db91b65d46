/** Shapes shared by the contracts that remove facts. */
import Type, { type Static } from 'typebox';
import { nullableDate } from './imports.ts';

/** Whether a removal is only simulated. */
export const dryRun = {
  dryRun: Type.Boolean({
    default: false,
    description: 'Change nothing, and say what would be removed',
  }),
};

/** The result of removing facts. */
export const FactsRemoved = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Whether nothing was changed.' }),
    rows: Type.Integer({ description: 'Number of facts that are removed.' }),
    datasets: Type.Array(
      Type.Object({
        dataset: Type.String(),
        rows: Type.Integer(),
        from: nullableDate('First date; null for facts without dates.'),
        to: nullableDate('Last date.'),
      }),
      { description: 'What is removed, by dataset.' },
    ),
  },
  { component: 'FactsRemoved' },
);

/** The type of that result. */
export type FactsRemoved = Static<typeof FactsRemoved>;
