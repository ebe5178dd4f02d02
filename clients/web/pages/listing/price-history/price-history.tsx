import { useText } from '../../../site/use-site.ts';
import { Fold } from '../fold.tsx';
import {
  chartAxes,
  chartPoints,
  heightOf,
  type PriceEvent,
  type PriceStep,
  priceSteps,
} from './price-chart.ts';
import './price-history.css';

interface PriceHistoryProps {
  readonly events: readonly PriceEvent[];
  readonly currency: string;
  /** When the chart ends, unless an event is later. */
  readonly until: string;
}

/** The prices of a home: a chart for the eye, and a table for reading. */
export default function PriceHistory({ events, currency, until }: PriceHistoryProps) {
  const { t } = useText();
  const steps = priceSteps(events);
  const end = Math.max(Date.parse(until), steps.at(-1)?.at ?? 0);
  const table = <PriceTable events={events} currency={currency} />;
  if (steps.length < 2) return table;
  return (
    <>
      <PriceChart steps={steps} until={end} currency={currency} />
      <Fold title={t('priceHistory.table')}>{table}</Fold>
    </>
  );
}

interface PriceChartProps {
  readonly steps: readonly PriceStep[];
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly currency: string;
}

/** The line is stretched to the space that there is; its figures are text of the page, as large as the rest. */
function PriceChart({ steps, until, currency }: PriceChartProps) {
  const { t, money, number, date } = useText();
  const axes = chartAxes(steps, until);
  const day = (at: number): string => date(new Date(at).toISOString());
  const [first, last] = [steps[0], steps.at(-1)];
  const words = t('priceHistory.chart', {
    first: money(first?.price ?? 0, currency),
    from: day(axes.from),
    last: money(last?.price ?? 0, currency),
    until: day(last?.at ?? until),
  });
  return (
    <figure className="price-chart">
      <div className="price-chart-box">
        {axes.ticks.map((price) => (
          <span key={price} className="price-chart-tick" style={{ top: `${heightOf(price, axes)}%` }}>
            <span aria-hidden="true">
              {number(price, {
                style: 'currency',
                currency,
                currencyDisplay: 'narrowSymbol',
                notation: 'compact',
                minimumFractionDigits: 0,
                maximumFractionDigits: 2,
              })}
            </span>
          </span>
        ))}
        <svg className="price-chart-line" viewBox="0 0 100 100" preserveAspectRatio="none" role="img">
          <title>{words}</title>
          <polyline points={chartPoints(steps, axes)} />
        </svg>
      </div>
      <p className="price-chart-days" aria-hidden="true">
        <span>{day(axes.from)}</span>
        <span>{day(axes.until)}</span>
      </p>
    </figure>
  );
}

function PriceTable({ events, currency }: Pick<PriceHistoryProps, 'events' | 'currency'>) {
  const { t, money, date, number } = useText();
  return (
    <div className="table-scroll">
      <table>
        <caption className="visually-hidden">{t('listing.priceHistory')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('priceHistory.date')}</th>
            <th scope="col">{t('priceHistory.event')}</th>
            <th scope="col">{t('priceHistory.price')}</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ seq, at, event, price, changePct }) => (
            <tr key={seq}>
              <td>{date(at)}</td>
              <td>{t(`priceEvent.${event}`)}</td>
              <td>
                {price === null ? t('priceHistory.notDisclosed') : money(price, currency)}
                {changePct === null || changePct === 0 ? null : (
                  <span className="muted">
                    {' '}
                    {number(changePct / 100, {
                      style: 'percent',
                      maximumFractionDigits: 1,
                      signDisplay: 'always',
                    })}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
