/** Tiles of totals, each with its change. The chosen one drives the chart below. */
import { useAddress } from '../view/address.ts';
import { type Unit, written } from '../view/format.ts';
import { Change, type Meaning } from './change.tsx';
import { Icon } from './icons.tsx';
import { useSlow } from './panel.tsx';

/** A total of a view. */
export type Tile = {
  /** The name of the metric in the address. */
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly value: number | undefined;
  readonly prior: number | undefined;
  readonly meaning?: Meaning;
  /** Words after the figure, such as "of sales". */
  readonly suffix?: string;
  /** Words on what the figure is compared with; "from" and `prior` by default. */
  readonly against?: string;
  /** Why the figure is incomplete. */
  readonly incomplete?: string | undefined;
  /** Whether it drives the chart; true by default. */
  readonly isLink?: boolean;
  /** Whether its figures are still on their way. */
  readonly isWaiting?: boolean;
};

type TilesProps = {
  readonly tiles: readonly Tile[];
  readonly currency: string;
  /** The chosen metric; none where tiles choose nothing. */
  readonly chosen?: string;
  /** The metric that the address leaves out; the first by default. */
  readonly standard?: string;
  readonly hasComparison: boolean;
  /** Whether the figures answer an earlier question, or none are there yet. */
  readonly isLoading?: boolean;
};

/** A row of tiles. */
export function Tiles(props: TilesProps) {
  const { tiles, currency, chosen, hasComparison, isLoading = false } = props;
  const { standard = tiles[0]?.id } = props;
  const { hrefOf } = useAddress();
  const isFaded = useSlow(isLoading && tiles.some(({ isWaiting }) => !isWaiting));
  return (
    <nav
      class={isFaded ? 'panel tiles faded' : 'panel tiles'}
      aria-label="Totals"
      aria-busy={isLoading}
      style={{ '--tiles': String(tiles.length) }}
    >
      {tiles.map((tile) => (
        <a
          key={tile.id}
          class="tile"
          {...(tile.isLink !== false && {
            href: hrefOf({ metric: tile.id === standard ? undefined : tile.id }),
          })}
          aria-current={tile.id === chosen ? 'true' : undefined}
        >
          <span class="label">
            {tile.name}
            {tile.incomplete !== undefined && (
              <span class="badge warn" title={tile.incomplete}>
                <Icon name="warning" />
                <span class="visually-hidden">incomplete: {tile.incomplete}</span>
              </span>
            )}
          </span>
          {tile.isWaiting ? (
            <Blank hasComparison={hasComparison} />
          ) : (
            <Figures tile={tile} currency={currency} hasComparison={hasComparison} />
          )}
        </a>
      ))}
    </nav>
  );
}

/** Grey blocks in the place of the figures. */
function Blank({ hasComparison }: Pick<TilesProps, 'hasComparison'>) {
  const isShown = useSlow(true);
  return (
    <span class={hasComparison ? 'blank compared' : 'blank'} data-shown={isShown}>
      <span class="visually-hidden">Loading</span>
    </span>
  );
}

type FiguresProps = Pick<TilesProps, 'currency' | 'hasComparison'> & { readonly tile: Tile };

function Figures({ tile, currency, hasComparison }: FiguresProps) {
  const { prior, unit, suffix } = tile;
  return (
    <>
      <span class="value" data-metric={tile.id}>
        {written(tile.value, unit, currency)}
        {suffix !== undefined && <small> {suffix}</small>}
      </span>
      {hasComparison && (
        <span class="change">
          <Change {...tile} />
          {prior !== undefined && (
            <span>{tile.against ?? `from ${written(prior, unit, currency)}`}</span>
          )}
        </span>
      )}
    </>
  );
}
