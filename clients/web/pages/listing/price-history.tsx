import { useText } from '../../site/use-site.ts';
import { chartPoints, type PriceEvent, priceSteps } from './price-chart.ts';

const BOX = { width: 600, height: 120 };

interface PriceHistoryProps {
  readonly events: readonly PriceEvent[];
  readonly currency: string;
  /** When the chart ends; null for the last event. */
  readonly until: string | null;
}

/** The prices of a home as a chart for the eye and as a table for reading. */
export function PriceHistory({ events, currency, until }: PriceHistoryProps) {
  const { t, money, date, number } = useText();
  const steps = priceSteps(events);
  const end = Math.max(until === null ? 0 : Date.parse(until), steps.at(-1)?.at ?? 0);
  return (
    <>
      {steps.length < 2 ? null : (
        <svg
          className="price-chart"
          viewBox={`-6 -6 ${BOX.width + 12} ${BOX.height + 12}`}
          aria-hidden="true"
        >
          <polyline points={chartPoints(steps, end, BOX)} />
        </svg>
      )}
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
    </>
  );
}
