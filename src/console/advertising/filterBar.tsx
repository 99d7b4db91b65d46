/** The filters of the table: those that are set as chips, and a form that changes them. */
import { useId } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { Popover } from '../parts/popover.tsx';
import { useAddress } from '../view/address.ts';
import { amount, percent } from '../view/format.ts';
import { type Bounds, type Filters, inAddress, isSet, noFilters, statuses } from './filters.ts';
import { adTypes, type Part } from './parts.ts';

type BarProps = {
  readonly filters: Filters;
  readonly part: Part;
  readonly currency: string;
  readonly target: number | undefined;
  /** Names of campaigns and ad groups by their numbers, as far as they are known. */
  readonly names: ReadonlyMap<string, string>;
};

/** The chips, and the button that opens the form. */
export function FilterBar({ filters, part, currency, target, names }: BarProps) {
  const { hrefOf } = useAddress();
  const chips = chipsOf(filters, part, currency, names);
  return (
    <div class="filter-bar">
      {chips.map(({ name, value, words }) => (
        <a
          key={`${name} ${value}`}
          class="chip"
          href={hrefOf({ ...chipRemoved(filters, name, value), page: undefined })}
          aria-label={`Remove the filter ${words}`}
        >
          {words}
          <Icon name="close" />
        </a>
      ))}
      <Popover
        title="Filter the rows"
        className="control small"
        label={
          <>
            <Icon name="plus" />
            Filter
          </>
        }
      >
        {(close) => (
          <FilterForm
            filters={filters}
            part={part}
            currency={currency}
            target={target}
            close={close}
          />
        )}
      </Popover>
    </div>
  );
}

type Chip = { readonly name: string; readonly value: string; readonly words: string };

function chipsOf(
  filters: Filters,
  part: Part,
  currency: string,
  names: ReadonlyMap<string, string>,
): Chip[] {
  const chip = (name: string, value: string, words: string): Chip => ({ name, value, words });
  const bounded = (name: 'spend' | 'acos', title: string, write: (value: number) => string) =>
    isSet(filters[name]) ? [chip(name, '', `${title} ${inWords(filters[name], write)}`)] : [];
  const ranges = [
    ...bounded('spend', 'Spend', (value) => amount(value, currency)),
    ...bounded('acos', 'ACOS', percent),
  ];
  if (part === 'products') return ranges;
  return [
    ...filters.campaigns.map((id) => chip('campaign', id, names.get(id) ?? `Campaign ${id}`)),
    ...filters.adGroups.map((id) => chip('ad-group', id, names.get(id) ?? `Ad group ${id}`)),
    ...filters.types.map((id) => chip('type', id, adTypes.find((type) => type.id === id)!.name)),
    ...filters.statuses.map((status) => chip('status', status, titled(status))),
    ...ranges,
  ];
}

function chipRemoved(filters: Filters, name: string, value: string) {
  if (name === 'spend' || name === 'acos') return { [name]: undefined };
  const lists: Readonly<Record<string, readonly string[]>> = {
    campaign: filters.campaigns,
    'ad-group': filters.adGroups,
    type: filters.types,
    status: filters.statuses,
  };
  return { [name]: lists[name]!.filter((one) => one !== value) };
}

function inWords({ low, high }: Bounds, write: (value: number) => string): string {
  if (low === undefined) return `up to ${write(high!)}`;
  return high === undefined ? `from ${write(low)}` : `${write(low)}–${write(high)}`;
}

const titled = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`;

type FormProps = Omit<BarProps, 'names'> & { readonly close: () => void };

function FilterForm({ filters, part, currency, target, close }: FormProps) {
  const { change } = useAddress();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const texts = (name: string) => form.getAll(name).map(String);
    const bounds = (name: string) => {
      const [low, high] = ['low', 'high'].map((end) => texts(`${name}-${end}`)[0] || undefined);
      return inAddress({
        low: low === undefined ? undefined : Number(low),
        high: high === undefined ? undefined : Number(high),
      });
    };
    close();
    change({
      spend: bounds('spend'),
      acos: bounds('acos'),
      ...(part !== 'products' && { type: texts('type'), status: texts('status') }),
      page: undefined,
    });
  };
  return (
    <form class="filter-form" onSubmit={onSubmit}>
      <BoundsFields name="spend" title={`Spend, ${currency}`} bounds={filters.spend} />
      <BoundsFields name="acos" title="ACOS, %" bounds={filters.acos} />
      {part !== 'products' && (
        <>
          <Choices title="Type" name="type" options={adTypes} chosen={filters.types} />
          <Choices
            title="Status"
            name="status"
            options={statuses.map((id) => ({ id, name: titled(id) }))}
            chosen={filters.statuses}
          />
        </>
      )}
      <div class="foot">
        {target !== undefined && (
          <button
            type="button"
            class="control"
            onClick={() => {
              close();
              change({ acos: inAddress({ low: round(target), high: undefined }), page: undefined });
            }}
          >
            ACOS over target
          </button>
        )}
        <button
          type="button"
          class="control"
          onClick={() => {
            close();
            change(noFilters);
          }}
        >
          Remove all
        </button>
        <button type="submit" class="control primary">
          Apply
        </button>
      </div>
    </form>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;

type BoundsFieldsProps = {
  readonly name: string;
  readonly title: string;
  readonly bounds: Bounds;
};

function BoundsFields({ name, title, bounds }: BoundsFieldsProps) {
  const id = useId();
  const field = (end: 'low' | 'high', words: string) => (
    <label>
      <span>{words}</span>
      <input
        type="number"
        name={`${name}-${end}`}
        min="0"
        step="any"
        aria-describedby={id}
        defaultValue={bounds[end]}
      />
    </label>
  );
  return (
    <fieldset>
      <legend id={id}>{title}</legend>
      {field('low', 'From')}
      {field('high', 'To')}
    </fieldset>
  );
}

type ChoicesProps = {
  readonly title: string;
  readonly name: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
};

function Choices({ title, name, options, chosen }: ChoicesProps) {
  return (
    <fieldset class="checks">
      <legend>{title}</legend>
      {options.map((option) => (
        <label key={option.id}>
          <input
            type="checkbox"
            name={name}
            value={option.id}
            defaultChecked={chosen.includes(option.id)}
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}
