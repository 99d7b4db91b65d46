/** The tax rates of a channel whose documents do not state the tax in its prices. */
import { useState } from 'preact/hooks';
import { Field } from '../forms.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import { useForm } from '../submit.ts';
import { inDay } from '../view/format.ts';
import { useAccess, useAsked } from './access.tsx';
import type { Answer } from './client.ts';
import { OpenedForm } from './openedForm.tsx';

type TaxRates = Answer<'readTaxRates'>;

/** Shows the rates, and adds or removes one. */
export function TaxRatesPanel({ channelId }: { readonly channelId: string }) {
  const query = useAsked('readTaxRates', { channelId });
  return (
    <Panel title="Tax rates" isLoading={query.isLoading}>
      <Body query={query} name="the tax rates">
        {(rates) => <Rates rates={rates} />}
      </Body>
    </Panel>
  );
}

function Rates({ rates }: { readonly rates: TaxRates }) {
  const { channelId, taxRates, pricesIncludeTax, unstated } = rates;
  const { ask, changed } = useAccess();
  const isUnstated = unstated.orders !== null || unstated.financeEvents !== null;
  const remove = async (place: number) => {
    await ask('saveTaxRates', { channelId, taxRates: taxRates.toSpliced(place, 1) });
    changed();
  };
  return (
    <div class="body">
      {isUnstated && (
        <p role="status">Net figures hold tax that the documents do not state. Save its rate.</p>
      )}
      {!pricesIncludeTax && <p>Prices of this channel do not include tax.</p>}
      {pricesIncludeTax && taxRates.length === 0 && <p>No rates.</p>}
      <ul>
        {taxRates.map(({ sku, rate, effectiveFrom }, place) => (
          <li key={`${sku} ${effectiveFrom}`}>
            {rate} % of {sku === '' ? 'all other SKUs' : sku} from {inDay(effectiveFrom)}{' '}
            <button type="button" class="button" onClick={() => remove(place)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      {pricesIncludeTax && <NewRate rates={rates} />}
    </div>
  );
}

function NewRate({ rates: { channelId, taxRates } }: { readonly rates: TaxRates }) {
  const { ask, changed } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const [rate, setRate] = useState('');
  const [sku, setSku] = useState('');
  const [from, setFrom] = useState('1970-01-01');
  const form = useForm<'rate' | 'from'>({
    check: () => ({
      rate: /^\d+(\.\d+)?$/.test(rate.trim()) ? undefined : 'Enter a percentage, such as 19.',
      from: /^\d{4}-\d{2}-\d{2}$/.test(from.trim()) ? undefined : 'Enter a date: YYYY-MM-DD.',
    }),
    async send() {
      const added = { sku: sku.trim(), rate: Number(rate), effectiveFrom: from.trim() };
      await ask('saveTaxRates', { channelId, taxRates: [...taxRates, added] });
      setOpen(false);
      setRate('');
      setSku('');
      changed();
    },
    fieldOf: ({ status }) => (status === 400 ? 'rate' : undefined),
  });
  const shared = { type: 'text', autocomplete: 'off' } as const;
  return (
    <OpenedForm label="Add a rate" submitLabel="Save the rate" {...{ isOpen, setOpen, form }}>
      <Field
        {...shared}
        label="Rate"
        hint="Percent of the price without tax."
        name="rate"
        value={rate}
        onValue={setRate}
        error={form.errors.rate}
        inputRef={form.refOf('rate')}
      />
      <Field
        {...shared}
        label="SKU"
        hint="Empty for all SKUs without a rate of their own."
        name="sku"
        isOptional
        value={sku}
        onValue={setSku}
      />
      <Field
        {...shared}
        label="From"
        hint="The first date of purchase."
        name="from"
        value={from}
        onValue={setFrom}
        error={form.errors.from}
        inputRef={form.refOf('from')}
      />
    </OpenedForm>
  );
}
