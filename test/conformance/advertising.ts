/** Facts and rows of the reports of advertising by day. */
import {
  campaigns,
  marketingByProduct,
} from '../../src/endpoints/reports/create/advertising/report.ts';
import type { AnyTable } from '../reports.ts';
import { type Conformance, conformanceOf } from './report.ts';

const channel = { merchantId: 'A1 @ ATVPDKIKX0DER' };
const archive = conformanceOf('campaigns', { channel });
const files = ['campaigns', 'adGroups', 'keywords', 'productAds', 'products'];

/** The files of the archive, and the report that one of them is as well. */
export const advertisingConformances: readonly Conformance[] = [
  ...files.map((name, place) => ({
    ...archive,
    file: `${name}.csv`,
    table: campaigns.tables[name] as AnyTable,
    questions: [archive.questions[place]!],
  })),
  {
    ...conformanceOf('marketingByProduct', { channel }),
    table: marketingByProduct,
    facts: archive.facts,
  },
];
