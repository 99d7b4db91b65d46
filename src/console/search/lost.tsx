/** The products that lose the most purchases to others, as bars. */
import { Body, Panel } from '../parts/panel.tsx';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { lostOf, type useProducts } from './figures.ts';

const shown = 8;

type LostProps = {
  readonly query: ReturnType<typeof useProducts>;
  readonly chosen: string | undefined;
};

/** The panel; each bar chooses its product. */
export function Lost({ query, chosen }: LostProps) {
  const { hrefOf } = useAddress();
  return (
    <Panel title="Purchases lost to others" isLoading={query.isLoading}>
      <Body query={query} name="the products" lines={6} height={300}>
        {(products) => {
          const largest = products
            .toSorted((one, other) => lostOf(other.current) - lostOf(one.current))
            .slice(0, shown);
          const most = Math.max(1, ...largest.map(({ current }) => lostOf(current)));
          return (
            <ol class="bars">
              {largest.map(({ asin, title, current }) => (
                <li key={asin}>
                  <a
                    href={hrefOf({ product: asin })}
                    aria-current={asin === chosen ? 'true' : undefined}
                  >
                    <span class="words">{title || asin}</span>
                    <span>{count(lostOf(current))}</span>
                    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                      <rect class="bar" width={(lostOf(current) / most) * 100} height="4" />
                    </svg>
                  </a>
                </li>
              ))}
            </ol>
          );
        }}
      </Body>
    </Panel>
  );
}
