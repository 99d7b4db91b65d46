/** The tax rates of a channel whose documents do not state the tax in its prices. */

import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { text } from '../parts/fields.tsx';
import { OpenedForm } from '../parts/form.tsx';
import { Body, Note, Panel } from '../parts/panel.tsx';
import { DataTable } from '../parts/table.tsx';
import { askAgain, useQuery } from '../queries.ts';
import { inDay } from '../view/format.ts';

type TaxRates = Answer<'readTaxRates'>;
type TaxRate = TaxRates['taxRates'][number];

/** The date from which a rate without one holds. */
const always = '1970-01-01';
const fromText = (date: string) => (date === always ? 'Always' : inDay(date));

/** Shows the rates, and adds or removes one. */
export function TaxRatesPanel({ channelId }: { readonly channelId: string }) {
  const query = useQuery('readTaxRates', { channelId });
  return (
    <Panel title="Tax rates" isLoading={query.isLoading}>
      <Body query={query} name="the tax rates">
        {(rates) => <Rates rates={rates} />}
      </Body>
    </Panel>
  );
}

function Rates({ rates }: { readonly rates: TaxRates }) {
  const { taxRates, pricesIncludeTax, unstated } = rates;
  const spans = [unstated.orders, unstated.financeEvents].filter((span) => span !== null);
  const dates = spans.flatMap(({ from, to }) => [from!, to!]).toSorted();
  return (
    <>
      {dates.length > 0 && (
        <Note>
          Net figures of {inDay(dates[0]!)} to {inDay(dates.at(-1)!)} hold tax that no document
          states. Add its rate here.
        </Note>
      )}
      <p class="recap-line">
        {pricesIncludeTax
          ? 'Where documents leave the tax in prices blank, these rates take it out.'
          : 'Prices of this channel do not include tax, so no rate is applied.'}
      </p>
      {taxRates.length > 0 && <RateTable rates={rates} />}
      {pricesIncludeTax && (
        <div class="body">
          <NewRate rates={rates} />
        </div>
      )}
    </>
  );
}

function RateTable({ rates: { channelId, taxRates } }: { readonly rates: TaxRates }) {
  const [problem, setProblem] = useState<string>();
  const remove = async (removed: TaxRate) => {
    const left = taxRates.filter((one) => one !== removed);
    try {
      await ask('saveTaxRates', { channelId, taxRates: left });
      askAgain();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <>
      <div role="alert">{problem !== undefined && <p class="error">{problem}</p>}</div>
      <DataTable
        name="Tax rates"
        rows={taxRates}
        keyOf={({ sku, effectiveFrom }) => `${sku}\n${effectiveFrom}`}
        columns={[
          { id: 'sku', name: 'SKU', cell: ({ sku }) => (sku === '' ? 'All others' : sku) },
          { id: 'rate', name: 'Rate', isNumber: true, cell: ({ rate }) => `${rate}%` },
          { id: 'from', name: 'From', cell: ({ effectiveFrom }) => fromText(effectiveFrom) },
          {
            id: 'remove',
            name: 'Remove',
            cell: (one) => (
              <button
                type="button"
                class="control"
                aria-label={`Remove ${one.rate}% of ${one.sku || 'all others'}, ${fromText(one.effectiveFrom)}`}
                onClick={() => remove(one)}
              >
                Remove
              </button>
            ),
          },
        ]}
      />
    </>
  );
}

const noRate = 'Enter a percentage with a point, such as 19 or 5.5.';
/** Why a text is no rate; undefined if it is one. */
function rateError(text: string) {
  if (!/^\d+(\.\d+)?%?$/.test(text)) return noRate;
  if (Number.parseFloat(text) > 100) return 'Enter a rate of at most 100.';
  return /\.\d{5}/.test(text) ? 'Enter at most 4 decimal places.' : undefined;
}

function NewRate({ rates: { channelId, taxRates } }: { readonly rates: TaxRates }) {
  type Values = { readonly rate: string; readonly sku: string; readonly from: string };
  const dateOf = (from: string) => (from === '' ? always : from);
  return (
    <OpenedForm<Values>
      label="Add a rate"
      submit="Save the rate"
      fields={({ sku = '' }) => ({
        rate: text('Rate in percent', {
          hint: 'Of the price without tax: 19 where 19 of 119 are tax.',
          hasFocus: true,
          missing: noRate,
          check: rateError,
        }),
        sku: text('SKU', { hint: 'Empty for all SKUs without a rate of their own.' }),
        from: text('From', {
          type: 'date',
          hint: 'The first date of purchase. Empty for always.',
          check: (from) =>
            taxRates.some((one) => one.sku === sku.trim() && one.effectiveFrom === dateOf(from))
              ? 'There is a rate from this date already: enter another date, or remove that rate.'
              : undefined,
        }),
      })}
      send={async ({ rate, sku, from }) => {
        const added = { sku, rate: Number.parseFloat(rate), effectiveFrom: dateOf(from) };
        await ask('saveTaxRates', { channelId, taxRates: [...taxRates, added] });
        askAgain();
      }}
      fieldOf={() => undefined}
    />
  );
}
