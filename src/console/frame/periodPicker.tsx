/** The picker of the period: presets, two months of days, and the comparison. */
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { Popover } from '../parts/popover.tsx';
import { addDays, addMonths, type Day, startOfUnit } from '../view/days.ts';
import { inMonth, inRange, inWeekday } from '../view/format.ts';
import {
  type Comparison,
  comparedWith,
  comparisons,
  type Preset,
  presetDefault,
  presets,
  type Range,
  rangeOfPreset,
} from '../view/periods.ts';
import { useView, type View } from '../view/view.ts';

/** Two buttons: the period, and what it is compared with. Both open the same picker. */
export function PeriodPicker({ hasComparison = true }: { readonly hasComparison?: boolean }) {
  const view = useView();
  const name =
    presets.find(({ id }) => id === view.preset)?.name ?? inRange(view.range, !isOfYear(view));
  const compared = comparisons.find(({ id }) => id === view.comparison)!.name;
  return (
    <div class="joined">
      <Popover
        title="Period"
        shortcut="D"
        label={
          <>
            <Icon name="calendar" />
            {name}
            <Icon name="down" />
          </>
        }
      >
        {(close) => <Picker view={view} close={close} hasComparison={hasComparison} />}
      </Popover>
      {hasComparison && (
        <Popover
          title="Comparison"
          shortcut="C"
          label={
            <>
              <span class="muted">vs</span> {compared}
              <Icon name="down" />
            </>
          }
        >
          {(close) => (
            <ul class="menu">
              {comparisons.map(({ id, name: text }) => (
                <li key={id}>
                  <a
                    href={view.address.hrefOf({ compare: id === 'prior' ? undefined : id })}
                    aria-current={id === view.comparison ? 'true' : undefined}
                    onClick={close}
                  >
                    {text}
                    {id !== 'none' && (
                      <span class="muted">{inRange(comparedWith(view.range, id), false)}</span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Popover>
      )}
    </div>
  );
}

const isOfYear = ({ range, today }: View) => range.first.slice(0, 4) === today.slice(0, 4);

type PickerProps = {
  readonly view: View;
  readonly close: () => void;
  readonly hasComparison: boolean;
};

function Picker({ view, close, hasComparison }: PickerProps) {
  const [preset, setPreset] = useState<Preset | undefined>(view.preset);
  const [range, setRange] = useState<Range>(view.range);
  const [comparison, setComparison] = useState<Comparison>(view.comparison);
  /** The first day of a range whose last day is not chosen yet. */
  const [begun, begin] = useState<Day>();
  const [month, setMonth] = useState(() => startOfUnit(view.range.last, 'month'));
  const chooseDay = (day: Day) => {
    setPreset(undefined);
    if (begun === undefined) {
      begin(day);
      return setRange({ first: day, last: day });
    }
    begin(undefined);
    setRange(day < begun ? { first: day, last: begun } : { first: begun, last: day });
  };
  const choosePreset = (id: Preset) => {
    const next = rangeOfPreset(id, view.lastDay, view.today);
    begin(undefined);
    setPreset(id);
    setRange(next);
    setMonth(startOfUnit(next.last, 'month'));
  };
  const apply = () => {
    view.address.change({
      period: preset === presetDefault ? undefined : preset,
      from: preset === undefined ? range.first : undefined,
      to: preset === undefined ? range.last : undefined,
      compare: comparison === 'prior' ? undefined : comparison,
      page: undefined,
    });
    close();
  };
  const prior = comparison === 'none' ? undefined : comparedWith(range, comparison);
  const shared = { range, prior, today: view.today, chooseDay };
  return (
    <div class="period">
      <Presets chosen={preset} choose={choosePreset} customise={() => setPreset(undefined)} />
      <div class="calendars">
        <Month
          month={addMonths(month, -1)}
          isFirst
          turn={() => setMonth(addMonths(month, -1))}
          {...shared}
        />
        <Month month={month} turn={() => setMonth(addMonths(month, 1))} {...shared} />
      </div>
      <div class="foot">
        {hasComparison && <ComparisonChoice chosen={comparison} choose={setComparison} />}
        <span class="tools">
          <button type="button" class="control" onClick={close}>
            Cancel
          </button>
          <button type="button" class="control primary" onClick={apply}>
            Apply
          </button>
        </span>
      </div>
    </div>
  );
}

type PresetsProps = {
  readonly chosen: Preset | undefined;
  readonly choose: (preset: Preset) => void;
  /** Leaves the presets for days of one's own. */
  readonly customise: () => void;
};

function Presets({ chosen, choose, customise }: PresetsProps) {
  return (
    <ul class="presets" aria-label="Presets">
      {presets.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === chosen ? 'true' : undefined}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          aria-current={chosen === undefined ? 'true' : undefined}
          onClick={customise}
        >
          Custom
        </button>
      </li>
    </ul>
  );
}

type ComparisonChoiceProps = {
  readonly chosen: Comparison;
  readonly choose: (comparison: Comparison) => void;
};

function ComparisonChoice({ chosen, choose }: ComparisonChoiceProps) {
  return (
    <fieldset class="segments">
      <legend class="muted">Compare with</legend>
      {comparisons.map(({ id, name }) => (
        <button key={id} type="button" aria-pressed={id === chosen} onClick={() => choose(id)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const weekdays = ['M', 'T', 'W', 'T', 'F', 'S', 'S'];

type MonthProps = {
  readonly month: Day;
  readonly isFirst?: boolean;
  readonly turn: () => void;
  readonly range: Range;
  readonly prior: Range | undefined;
  readonly today: Day;
  readonly chooseDay: (day: Day) => void;
};

/** A month of days. Arrow keys move between them. */
function Month({ month, isFirst = false, turn, range, prior, today, chooseDay }: MonthProps) {
  const next = addMonths(month, 1);
  const days: Day[] = [];
  for (let day = month; day < next; day = addDays(day, 1)) days.push(day);
  const offset = (new Date(month).getUTCDay() + 6) % 7;
  const classOf = (day: Day) =>
    [
      day >= range.first && day <= range.last && 'in',
      day === range.first && 'first',
      day === range.last && 'last',
      prior !== undefined && day >= prior.first && day <= prior.last && 'before',
    ]
      .filter(Boolean)
      .join(' ');
  const isInRange = (day: Day) => day >= range.first && day <= range.last;
  return (
    <div class={isFirst ? 'month earlier' : 'month'}>
      <h3>
        <button
          type="button"
          class="icon-button"
          aria-label={isFirst ? 'Earlier' : 'Later'}
          onClick={turn}
        >
          <Icon name={isFirst ? 'back' : 'forward'} />
        </button>
        {inMonth(month)}
      </h3>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the days, which are buttons. */}
      <div class="days" onKeyDown={moveFocus}>
        {weekdays.map((name, place) => (
          <b key={place} aria-hidden="true">
            {name}
          </b>
        ))}
        {days.map((day, place) => (
          <button
            key={day}
            type="button"
            class={classOf(day)}
            style={place === 0 ? { gridColumnStart: String(offset + 1) } : {}}
            disabled={day > today}
            aria-label={inWeekday(day)}
            aria-pressed={isInRange(day)}
            tabIndex={day === range.last || (place === 0 && !days.some(isInRange)) ? 0 : -1}
            onClick={() => chooseDay(day)}
          >
            {Number(day.slice(8))}
          </button>
        ))}
      </div>
    </div>
  );
}

function moveFocus(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
  const calendars = (event.currentTarget as Element).closest('.calendars')!;
  const days = [...calendars.querySelectorAll<HTMLButtonElement>('.days button:not(:disabled)')];
  const place = days.indexOf(event.target as HTMLButtonElement);
  const to = by === undefined ? { Home: 0, End: days.length - 1 }[event.key] : place + by;
  if (place === -1 || to === undefined || days[to] === undefined) return;
  event.preventDefault();
  days[to].focus();
}
