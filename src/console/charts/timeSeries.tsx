/** A panel with a line over time, which can also be read as a table. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiRequest } from '../client.ts';
import { Change } from '../parts/change.tsx';
import { later } from '../parts/later.tsx';
import { Skeleton, useSlow } from '../parts/panel.tsx';
import { DataTable } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { type Unit, written } from '../view/format.ts';
import type { LinesProps } from './lines.tsx';
import type { LinePoint } from './points.ts';

const standardHeight = 302;
const Lines = later<LinesProps>(
  () => import('./lines.tsx').then((module) => module.Lines),
  ({ height }) => <Skeleton height={height ?? standardHeight} lines={1} />,
);

type TimeSeriesProps = {
  readonly title: string;
  /** The name of a point, such as Day. */
  readonly of: string;
  readonly points: readonly LinePoint[];
  readonly unit: Unit;
  readonly currency: string;
  readonly hasPrior: boolean;
  readonly request?: ApiRequest | readonly ApiRequest[] | undefined;
  /** Controls before the toolbar. */
  readonly controls?: ComponentChildren;
  /** Whether the points answer an earlier question, or none are there yet. */
  readonly isLoading?: boolean;
  readonly isReady: boolean;
  readonly height?: number;
  /** Shown in the place of the chart, such as why there are no figures. */
  readonly instead?: ComponentChildren;
} & Pick<LinesProps, 'form' | 'names' | 'goal'>;

/** The panel. */
export function TimeSeries(props: TimeSeriesProps) {
  const { title, of, points, unit, currency, hasPrior, request, controls } = props;
  const { isLoading = false, isReady } = props;
  const isFaded = useSlow(isLoading && isReady);
  const [isTable, setTable] = useState(false);
  const name = `${title} by ${of.toLowerCase()}`;
  const priorTitle = props.names?.prior ?? `Prior ${title.toLowerCase()}`;
  const rows = () => [
    [of, title, ...(hasPrior ? [`Prior ${of.toLowerCase()}`, priorTitle] : [])],
    ...points.map(({ name: point, priorName, value, prior }) => [
      point,
      value,
      ...(hasPrior ? [priorName, prior] : []),
    ]),
  ];
  return (
    <section class="panel chart" aria-label={name} aria-busy={isLoading}>
      <header>
        <h2>{controls === undefined ? name : title}</h2>
        <div class="tools">
          {controls}
          <Toolbar
            name={name}
            request={request}
            rows={rows}
            table={{ isShown: isTable, toggle: () => setTable(!isTable) }}
          />
        </div>
      </header>
      <div class={isFaded ? 'body faded' : 'body'}>
        {props.instead ? (
          props.instead
        ) : !isReady ? (
          <Skeleton height={props.height ?? standardHeight} lines={1} />
        ) : isTable ? (
          <PointsTable
            name={name}
            of={of}
            title={title}
            priorTitle={priorTitle}
            points={points}
            unit={unit}
            currency={currency}
            hasPrior={hasPrior}
          />
        ) : (
          <Lines
            name={title}
            points={points}
            unit={unit}
            currency={currency}
            hasPrior={hasPrior}
            {...(props.height && { height: props.height })}
            {...(props.form && { form: props.form })}
            {...(props.names && { names: props.names })}
            goal={props.goal}
          />
        )}
      </div>
    </section>
  );
}

type PointsTableProps = Pick<
  TimeSeriesProps,
  'of' | 'title' | 'points' | 'unit' | 'currency' | 'hasPrior'
> & { readonly name: string; readonly priorTitle: string };

function PointsTable(props: PointsTableProps) {
  const { name, of, title, priorTitle, points, unit, currency, hasPrior } = props;
  return (
    <div class="long">
      <DataTable
        name={name}
        rows={points}
        keyOf={({ key }) => key}
        columns={[
          { id: 'point', name: of, cell: ({ name }) => name },
          {
            id: 'value',
            name: title,
            isNumber: true,
            cell: ({ value }) => written(value, unit, currency),
          },
          ...(hasPrior
            ? [
                { id: 'priorPoint', name: 'Before', cell: ({ priorName }: LinePoint) => priorName },
                {
                  id: 'prior',
                  name: priorTitle,
                  isNumber: true,
                  cell: ({ prior }: LinePoint) => written(prior, unit, currency),
                },
                {
                  id: 'change',
                  name: 'Change',
                  isNumber: true,
                  cell: ({ value, prior }: LinePoint) => (
                    <Change value={value} prior={prior} unit={unit} meaning="neither" />
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}
