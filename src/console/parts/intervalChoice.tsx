/** The choice of the interval of figures over time. */
import type { View } from '../view/view.ts';
import { Segments } from './segments.tsx';

type IntervalChoiceProps = {
  readonly view: View;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: string;
  /** The interval that suits the period, which the address leaves out. */
  readonly standard: string;
};

/** A row of links, one for each interval. */
export function IntervalChoice({ view, options, chosen, standard }: IntervalChoiceProps) {
  return (
    <Segments
      name="Interval"
      options={options}
      chosen={chosen}
      hrefOf={(id) => view.address.hrefOf({ interval: id === standard ? undefined : id })}
    />
  );
}
